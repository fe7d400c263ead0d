import type { Plan, Run, RunDecision } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { approvalProgress } from "@/domain/pending-approvals";
import { Panel } from "@/ui/Panel";
import { DecisionForm } from "./DecisionForm";

/** How many approvals the run has and lacks, and who may give them. */
function Progress({ run, decision }: { run: Run; decision: RunDecision }) {
  const round = Math.max(0, ...run.approvals.map((approval) => approval.round));
  const given = run.approvals.filter((approval) => approval.round === round);
  return (
    <>
      <p>
        {approvalProgress(decision)} The run starts with the last one.
        {decision.approvers.length > 0 && ` Only ${decision.approvers.join(", ")} may approve.`}
      </p>
      {given.length > 0 && decision.approvals_missing < decision.approvals_needed && (
        <ul>
          {given.map((approval) => (
            <li key={approval.at}>
              {approval.approver} approved <Timestamp at={approval.at} />: “{approval.comment}”
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The decision, or why there is none for this user. */
export function DecisionPanel(props: { run: Run; plan: Plan; decision: RunDecision }) {
  const { run, plan, decision } = props;
  if (run.state !== "waiting_approval")
    return (
      <Panel title="Decision">
        <p role="status">Nothing to decide: {run.outcome}</p>
      </Panel>
    );
  return (
    <Panel title="Decision" tone="warn">
      <Progress run={run} decision={decision} />
      {decision.why_not && <p className="dim note">{decision.why_not}</p>}
      {decision.may_approve && <DecisionForm run={run} plan={plan} />}
    </Panel>
  );
}
