import type { Run } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { TimeUntil } from "@/components/TimeUntil";
import { useCan, useCurrentUser } from "@/components/use-session";
import { approvalProgress } from "@/domain/pending-approvals";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { ApproveForm } from "./ApproveForm";

function Decision({ run }: { run: Run }) {
  const me = useCurrentUser();
  const mayApprove = useCan("approve");
  if (me?.username === run.requested_by)
    return (
      <p className="dim note">
        You requested this run, so another user with the approver role must approve it.
      </p>
    );
  if (!mayApprove)
    return <p className="dim note">Your role can view this run but not approve it.</p>;
  return <ApproveForm run={run} />;
}

/** A run that waits until another user than its requester approves exactly this plan. */
export function ApprovePanel({ run }: { run: Run }) {
  if (run.state !== "waiting_approval") return null;
  return (
    <Panel title="Approval required" tone="warn">
      <p>
        {run.requested_by} requested this run: “{run.reason}”. Nothing is sent until{" "}
        {run.approvals_needed === 1
          ? "another user with the approver role approves it."
          : `${run.approvals_needed} other users with the approver role approve it.`}
      </p>
      <div className="note">
        <DescriptionList
          items={[
            [
              "Approval expires",
              run.approval_expires_at ? (
                <TimeUntil key="until" at={run.approval_expires_at} />
              ) : (
                "never"
              ),
            ],
            [
              "Plan",
              <AppLink key="plan" to="/runs/$runId/approve" params={{ runId: run.id }}>
                View plan, proof and current state, or reject
              </AppLink>,
            ],
            ["Approvals", `${approvalProgress(run)} The run starts with the last one.`],
            ["Digest", <code key="digest">{run.plan_digest}</code>],
          ]}
        />
      </div>
      <Decision run={run} />
    </Panel>
  );
}
