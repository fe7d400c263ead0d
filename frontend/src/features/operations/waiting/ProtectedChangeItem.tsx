import { TextInput } from "@mantine/core";
import { useConfirmChange, useRejectChange } from "@/api/resources/pending-approvals";
import type { CurrentUser, ProtectedChange } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Timestamp } from "@/components/Timestamp";
import { TimeUntil } from "@/components/TimeUntil";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { useCurrentUser } from "@/components/use-session";
import { confirmRefusal, rejectEffect } from "@/domain/pending-approvals";
import css from "./Waiting.module.css";

/** The requester can reject the change, too; only another administrator can confirm it. */
function DecisionForm({ change, user }: { change: ProtectedChange; user: CurrentUser }) {
  const confirming = useConfirmChange(change.id);
  const rejecting = useRejectChange(change.id);
  const { form, submit, problem } = useServerForm({ initialValues: { comment: "" } });
  const comment = form.values.comment.trim();
  const refusal = confirmRefusal(change, user);
  const disabledReason = refusal ?? (comment ? null : "Enter a comment for the audit log.");
  const confirm = submit(async () => {
    await confirming.mutateAsync(comment);
    showSuccess("Change confirmed.");
  });
  return (
    <form onSubmit={confirm} className="stack attest">
      {problem !== null && <ProblemAlert error={problem} action="confirm the change" />}
      {refusal && <p className="dim">{refusal}</p>}
      <TextInput
        label="Comment"
        description="Recorded in the audit log"
        maxLength={2000}
        {...form.getInputProps("comment")}
      />
      <div className="row">
        <DisabledReasonButton
          type="submit"
          disabledReason={disabledReason}
          loading={confirming.isPending}
        >
          Confirm change
        </DisabledReasonButton>
        <ConfirmAction
          size="sm"
          label="Reject change"
          title="Reject change"
          confirmLabel="Reject change"
          action="reject the change"
          success="Change rejected."
          onConfirm={() => rejecting.mutateAsync(comment)}
        >
          <p>{change.summary}</p>
          <p>{rejectEffect(change)}</p>
        </ConfirmAction>
      </div>
    </form>
  );
}

/** A change that one administrator requested; it takes effect when a second one confirms it, or later. */
export function ProtectedChangeItem({ change }: { change: ProtectedChange }) {
  const user = useCurrentUser();
  return (
    <li className={css.entry}>
      <p className={css.what}>{change.summary}</p>
      <p className="dim">
        Requested by {change.requested_by}, <Timestamp at={change.requested_at} />. The change takes
        effect <TimeUntil at={change.effective_at} />, or earlier if a second administrator confirms
        it.
      </p>
      {user?.role === "admin" && <DecisionForm change={change} user={user} />}
      {user && user.role !== "admin" && <p className="dim">{confirmRefusal(change, user)}</p>}
    </li>
  );
}
