import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSetApprovalRule } from "@/api/resources/links";
import { pendingApprovalsQuery } from "@/api/resources/pending-approvals";
import type { LinkDetail } from "@/api/types";
import { PendingChanges } from "@/components/PendingChanges";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { useCan } from "@/components/use-session";
import { changesAbout } from "@/domain/pending-approvals";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";

/** The button that sets the rule: on, off, or on again while switching it off is pending. */
function RuleButton({ link }: { link: LinkDetail }) {
  const rule = useSetApprovalRule(link.id);
  const pending = useQuery(pendingApprovalsQuery());
  const isChanging = changesAbout(pending.data, link.id).length > 0;
  const isRequired = link.requires_approval;
  const next = isChanging || !isRequired;
  const label = isChanging ? "Keep requiring approval" : "Require approval";
  const onSuccess = () =>
    showSuccess(
      next ? "Approval is required." : "The request to stop requiring approval is saved.",
    );
  return (
    <>
      {rule.isError && <ProblemAlert error={rule.error} action="change the approval rule" />}
      <div className="row end">
        <Button
          variant="default"
          loading={rule.isPending}
          onClick={() => rule.mutate(next, { onSuccess })}
        >
          {next ? label : "Stop requiring approval"}
        </Button>
      </div>
    </>
  );
}

/** Whether runs on the link need an approval. Switching it off takes effect later. */
export function ApprovalPanel({ link }: { link: LinkDetail }) {
  const canConfigure = useCan("configure");
  const isRequired = link.requires_approval;
  return (
    <Panel
      title="Approval"
      aside={
        <StatusChip tone={isRequired ? "ok" : "neutral"}>
          {isRequired ? "required" : "not required"}
        </StatusChip>
      }
    >
      <div className="stack">
        <p className="dim">
          {isRequired
            ? "Another user must approve every run on this link. Switching the rule off takes effect when a second administrator confirms the change, or after a delay."
            : "Runs on this link start without an approval."}
        </p>
        <PendingChanges target={link.id} />
        {canConfigure ? (
          <RuleButton link={link} />
        ) : (
          <p className="faint">Only administrators can change the approval rule.</p>
        )}
      </div>
    </Panel>
  );
}
