import { Problem } from "@/api/problem";
import type { FactChange, Plan } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { FactChangeTable } from "@/components/FactChangeTable";
import { ProblemAlert } from "@/components/ProblemAlert";
import type { StepLink } from "@/components/workflow/step-link";
import { ReplanButton } from "@/features/operations/planning/shared/ReplanButton";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";

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
          <FactChangeTable changes={(error.body.changes ?? []) as FactChange[]} />
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
