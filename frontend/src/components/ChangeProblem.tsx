import { Button } from "@mantine/core";
import { Problem } from "@/api/problem";
import { Panel } from "@/ui/Panel";
import { AppLink } from "./AppLink";
import { ProblemAlert } from "./ProblemAlert";

const idIn = (problem: Problem, name: string): string | null => {
  const value = problem.body[name];
  return typeof value === "string" ? value : null;
};

/** The page on which the refusal can be resolved, where the server names one. */
function Remedy({ problem }: { problem: Problem }) {
  const run = idIn(problem, "run_id");
  const plan = idIn(problem, "plan_id");
  const link = idIn(problem, "link_id");
  if (run)
    return (
      <AppLink to="/runs/$runId" params={{ runId: run }}>
        View run
      </AppLink>
    );
  if (plan)
    return (
      <AppLink to="/plans/$planId/plan" params={{ planId: plan }}>
        View plan
      </AppLink>
    );
  if (link)
    return (
      <AppLink to="/links/$linkId" params={{ linkId: link }}>
        View link
      </AppLink>
    );
  return null;
}

interface ChangeProblemProps {
  problem: unknown;
  /** What could not be done, as an infinitive: "rename the link". */
  action: string;
  keepInput: () => void;
  loadCurrent: () => void;
}

/** Why a change was refused. After a change by another user the input is kept, and the user decides. */
export function ChangeProblem({ problem, action, keepInput, loadCurrent }: ChangeProblemProps) {
  if (!(problem instanceof Problem)) return <ProblemAlert error={problem} action={action} />;
  if (problem.code !== "version_changed")
    return (
      <>
        <ProblemAlert error={problem} action={action} />
        <Remedy problem={problem} />
      </>
    );
  return (
    <Panel tone="warn">
      <div role="alert" className="stack attest">
        <p className="strong">Another user changed this in the meantime. Nothing was saved.</p>
        <p className="dim">{problem.detail}</p>
        <div className="row">
          <Button size="xs" variant="default" onClick={loadCurrent}>
            Load current values
          </Button>
          <Button size="xs" variant="default" onClick={keepInput}>
            Keep my input
          </Button>
        </div>
      </div>
    </Panel>
  );
}
