import { useQuery } from "@tanstack/react-query";
import { useUpdateLink } from "@/api/resources/links";
import { pendingApprovalsQuery } from "@/api/resources/pending-approvals";
import type { LinkDetail } from "@/api/types";
import { ChangeDialog } from "@/components/ChangeDialog";
import { ChangeForm } from "@/components/ChangeForm";
import { PendingChanges } from "@/components/PendingChanges";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";
import { useRefusal } from "@/components/use-refusal";
import { APPROVAL_RULE_OFF, changesAbout } from "@/domain/pending-approvals";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";

interface RuleProps {
  link: LinkDetail;
  /** The rule to set. */
  next: boolean;
  label: string;
}

function RuleForm({ link, next, label, close }: RuleProps & { close: () => void }) {
  const update = useUpdateLink(link.id);
  const change = useChangeForm({
    initialValues: { reason: "" },
    version: link.version,
    save: async ({ version, body }) => {
      await update.mutateAsync({ version, body: { ...body, requires_approval: next } });
      showSuccess(
        next ? "Approval is required." : "The request to stop requiring approval is saved.",
      );
      close();
    },
  });
  return (
    <ChangeForm change={change} action="change the approval rule" submitLabel={label}>
      <p className="dim">
        {next
          ? "Another user must approve every run on this link from now on."
          : "This takes effect when a second administrator confirms it, or after a delay."}
      </p>
    </ChangeForm>
  );
}

/** The button that sets the rule: on, off, or on again while switching it off is pending. */
function RuleButton({ link }: { link: LinkDetail }) {
  const refusal = useRefusal("configure");
  const pending = useQuery(pendingApprovalsQuery());
  const isChanging = changesAbout(pending.data, link.id, APPROVAL_RULE_OFF).length > 0;
  const next = isChanging || !link.requires_approval;
  const on = isChanging ? "Keep requiring approval" : "Require approval";
  const label = next ? on : "Stop requiring approval";
  return (
    <div className="row end">
      <ChangeDialog
        label={label}
        title={`${label} for runs on ${link.name}`}
        disabledReason={
          refusal ?? (pending.data ? null : "The pending changes of this rule are unknown.")
        }
      >
        {(close) => <RuleForm link={link} next={next} label={label} close={close} />}
      </ChangeDialog>
    </div>
  );
}

/** Whether runs on the link need an approval. Switching it off takes effect later. */
export function ApprovalPanel({ link }: { link: LinkDetail }) {
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
        <PendingChanges target={link.id} kind={APPROVAL_RULE_OFF} />
        <RuleButton link={link} />
      </div>
    </Panel>
  );
}
