import { NumberInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { approvalRuleQuery, useUpdateApprovalRule } from "@/api/resources/approval-rules";
import type { ApprovalRule, LinkDetail } from "@/api/types";
import { ChangeDialog } from "@/components/ChangeDialog";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { PendingChanges } from "@/components/PendingChanges";
import { ProblemAlert } from "@/components/ProblemAlert";
import { QueryBoundary } from "@/components/QueryBoundary";
import { showSuccess } from "@/components/toast";
import { useRefusal } from "@/components/use-refusal";
import { useServerForm } from "@/components/use-server-form";
import { APPROVAL_RULE_WEAKENED } from "@/domain/pending-approvals";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";

const namesIn = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

function RuleForm({ rule, close }: { rule: ApprovalRule; close: () => void }) {
  const update = useUpdateApprovalRule(rule.link_id);
  const { form, submit, problem } = useServerForm({
    initialValues: {
      approvals_needed: rule.approvals_needed,
      approvers: rule.approvers.join(", "),
      reason: "",
    },
  });
  const send = submit(async ({ approvals_needed, approvers, reason }) => {
    const saved = await update.mutateAsync({
      approvals_needed,
      approvers: namesIn(approvers),
      reason: reason.trim(),
    });
    showSuccess(saved.pending ? "The request for the weaker rule is saved." : "Rule saved.");
    close();
  });
  const missing = form.values.reason.trim() === "" ? "Enter a reason for the audit log." : null;
  return (
    <form onSubmit={send} className="stack">
      {problem !== null && <ProblemAlert error={problem} action="change the approval rule" />}
      <p className="dim">
        A weaker rule takes effect when a second administrator confirms it, or after a delay.
      </p>
      <NumberInput
        label="Persons who must approve"
        min={1}
        max={5}
        {...form.getInputProps("approvals_needed")}
      />
      <TextInput
        label="Approvers"
        description="Usernames with commas between them. Empty: any approver"
        {...form.getInputProps("approvers")}
      />
      <TextInput
        label="Reason"
        description="Recorded in the audit log"
        maxLength={2000}
        {...form.getInputProps("reason")}
      />
      <div className="row end">
        <DisabledReasonButton type="submit" disabledReason={missing} loading={form.submitting}>
          Save rule
        </DisabledReasonButton>
      </div>
    </form>
  );
}

/** How many persons must approve the runs of the link, and who may. */
export function ApprovalRulePanel({ link }: { link: LinkDetail }) {
  const query = useQuery(approvalRuleQuery(link.id));
  const refusal = useRefusal("configure");
  return (
    <Panel title="Approvers" aside="of links that require approval">
      <QueryBoundary<ApprovalRule> query={query} label="the approval rule">
        {(rule) => (
          <div className="stack">
            <DescriptionList
              items={[
                ["Persons who must approve", String(rule.approvals_needed)],
                ["Approvers", rule.approvers.join(", ") || "any approver"],
              ]}
            />
            <PendingChanges target={link.id} kind={APPROVAL_RULE_WEAKENED} />
            <div className="row end">
              <ChangeDialog
                label="Change approvers"
                title={`Change who approves runs on ${link.name}`}
                disabledReason={refusal}
              >
                {(close) => <RuleForm rule={rule} close={close} />}
              </ChangeDialog>
            </div>
          </div>
        )}
      </QueryBoundary>
    </Panel>
  );
}
