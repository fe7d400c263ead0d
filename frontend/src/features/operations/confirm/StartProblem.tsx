import { Problem } from "@/api/problem";
import type { FactChange, Plan } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ProblemAlert } from "@/components/ProblemAlert";
import type { StepLink } from "@/components/workflow/step-link";
import { ReplanButton } from "@/features/operations/shared/RefusedPlan";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";

const shown = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

function Changes({ changes }: { changes: readonly FactChange[] }) {
  return (
    <table className="grid">
      <thead>
        <tr>
          <th>Fact</th>
          <th>When planned</th>
          <th>Now</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.fact}>
            <td>{change.fact}</td>
            <td className="mono">{shown(change.planned)}</td>
            <td className="mono">{shown(change.now)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Why the server did not start the run, and the way on. Nothing was sent to any node. */
export function StartProblem({
  plan,
  error,
  nextPage,
}: {
  plan: Plan;
  error: unknown;
  nextPage: (plan: Plan) => StepLink;
}) {
  if (!(error instanceof Problem)) return <ProblemAlert error={error} action="Starting" />;
  const again = <ReplanButton plan={plan} nextPage={nextPage} words="Plan again" />;
  if (error.code === "facts_changed")
    return (
      <>
        <Callout
          tone="warn"
          title="The facts have changed since this plan was made; nothing was sent."
          actions={again}
        />
        <Panel title="What changed">
          <Changes changes={(error.body.changes ?? []) as FactChange[]} />
        </Panel>
      </>
    );
  if (error.code === "run_unfinished" && typeof error.body.run_id === "string")
    return (
      <Callout
        tone="warn"
        title="Another run on this link has not ended; nothing was sent."
        actions={
          <AppLink to="/runs/$runId" params={{ runId: error.body.run_id }}>
            Watch that run
          </AppLink>
        }
      />
    );
  if (error.code === "plan_expired" || error.status === 410)
    return (
      <Callout
        tone="warn"
        title="The plan has expired; nothing was sent."
        description={error.detail}
        actions={again}
      />
    );
  return <ProblemAlert error={error} action="Starting" />;
}
