import { TextInput } from "@mantine/core";
import { useApproveRun } from "@/api/resources/runs";
import type { Run } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { useServerTime } from "@/components/use-server-time";
import { operationLabel } from "@/domain/operations";
import { secondsUntil } from "@/domain/pending-approvals";

/** Disabled without a comment, and from the moment the approval expires. */
function ApproveButton(props: { run: Run; hasComment: boolean; isPending: boolean }) {
  const { run, hasComment, isPending } = props;
  const isExpired = secondsUntil(run.approval_expires_at, useServerTime()) === 0;
  const missing = hasComment ? null : "Enter a comment first.";
  return (
    <DisabledReasonButton
      type="submit"
      disabledReason={isExpired ? "The approval period has ended. Create a new plan." : missing}
      loading={isPending}
    >
      Approve: {run.summary || `${operationLabel(run.kind)} ${run.link_name}`}
    </DisabledReasonButton>
  );
}

/** The approval of exactly this plan, with a comment. */
export function ApproveForm({ run }: { run: Run }) {
  const approve = useApproveRun(run);
  const { form, submit, problem } = useServerForm({ initialValues: { comment: "" } });
  return (
    <form
      className="stack attest"
      onSubmit={submit(({ comment }) => approve.mutateAsync(comment.trim()))}
    >
      {problem !== null && <ProblemAlert error={problem} action="approve the run" />}
      <TextInput
        label="Comment"
        description="Recorded in the audit log"
        maxLength={2000}
        required
        {...form.getInputProps("comment")}
      />
      <div className="row">
        <ApproveButton
          run={run}
          hasComment={form.values.comment.trim() !== ""}
          isPending={approve.isPending}
        />
      </div>
    </form>
  );
}
