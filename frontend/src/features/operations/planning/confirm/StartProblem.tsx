import { Problem } from "@/api/problem";
import type { FactChange, Plan } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ProblemAlert } from "@/components/ProblemAlert";
import type { StepLink } from "@/components/workflow/step-link";
import { ReplanButton } from "@/features/operations/planning/shared/ReplanButton";
import { Callout } from "@/ui/Callout";
import { type Column, DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";

const asText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

const COLUMNS: Column<FactChange>[] = [
  { key: "fact", header: "Fact", isRowHeader: true, cell: (change) => change.fact },
  { key: "planned", header: "When planned", mono: true, cell: (change) => asText(change.planned) },
  { key: "now", header: "Now", mono: true, cell: (change) => asText(change.now) },
];

/** Why the server did not start the run, and what to do next. */
export function StartProblem({
  plan,
  error,
  nextPage,
}: {
  plan: Plan;
  error: unknown;
  nextPage: (plan: Plan) => StepLink;
}) {
  const generic = <ProblemAlert error={error} action="start the run" />;
  if (!(error instanceof Problem)) return generic;
  const replan = <ReplanButton plan={plan} nextPage={nextPage} words="Plan again" />;
  if (error.code === "facts_changed")
    return (
      <>
        <Callout
          tone="warn"
          title="The cluster state changed after this plan was created. Nothing was sent to any node."
          actions={replan}
        />
        <Panel title="Changes">
          <DataTable
            caption="Changes since the plan was created"
            columns={COLUMNS}
            rows={(error.body.changes ?? []) as FactChange[]}
            rowKey={(change) => change.fact}
            empty="No change is listed."
          />
        </Panel>
      </>
    );
  if (error.code === "run_unfinished" && typeof error.body.run_id === "string")
    return (
      <Callout
        tone="warn"
        title="Another run on this link has not ended. Nothing was sent to any node."
        actions={
          <AppLink to="/runs/$runId" params={{ runId: error.body.run_id }}>
            View run
          </AppLink>
        }
      />
    );
  if (error.code === "plan_expired" || error.status === 410)
    return (
      <Callout
        tone="warn"
        title="This plan has expired. Nothing was sent to any node."
        description={error.detail}
        actions={replan}
      />
    );
  return generic;
}
