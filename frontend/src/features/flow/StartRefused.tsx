import { Problem } from "@/api/problem";
import type { FactChange, Plan } from "@/api/types";
import { Go } from "@/components/Go";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Panel } from "@/ui/Panel";
import { Statement } from "@/ui/Statement";
import { PlanAgain } from "./RefusedNotice";

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
export function StartRefused({
  plan,
  error,
  then,
}: {
  plan: Plan;
  error: unknown;
  then: (plan: Plan) => string;
}) {
  if (!(error instanceof Problem)) return <ProblemNotice error={error} doing="Starting" />;
  const again = <PlanAgain plan={plan} then={then} words="Plan again" />;
  if (error.code === "facts_changed")
    return (
      <>
        <Statement
          tone="warn"
          sentence="The facts have changed since this plan was made; nothing was sent."
          actions={again}
        />
        <Panel title="What changed">
          <Changes changes={(error.body.changes ?? []) as FactChange[]} />
        </Panel>
      </>
    );
  if (error.code === "run_unfinished" && typeof error.body.run_id === "string")
    return (
      <Statement
        tone="warn"
        sentence="Another run on this link has not ended; nothing was sent."
        actions={<Go to={`/runs/${error.body.run_id}`}>Watch that run</Go>}
      />
    );
  if (error.code === "plan_expired" || error.status === 410)
    return (
      <Statement
        tone="warn"
        sentence="The plan has expired; nothing was sent."
        detail={error.detail}
        actions={again}
      />
    );
  return <ProblemNotice error={error} doing="Starting" />;
}
