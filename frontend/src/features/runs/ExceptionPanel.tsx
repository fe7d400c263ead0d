import type { Run } from "@/api/types";
import { ReviewForm } from "@/components/ReviewForm";
import { Timestamp } from "@/components/Timestamp";
import { exceptionOf } from "@/domain/pending-approvals";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";

/** A run that began without a second person: who let it, why, and what somebody else found afterwards. */
export function ExceptionPanel({ run }: { run: Run }) {
  const exception = exceptionOf(run);
  if (exception === null) return null;
  return (
    <Panel
      title="It began without a second person"
      tone="bad"
      aside={
        exception.reviewed_at ? (
          <StatusChip tone="ok">reviewed</StatusChip>
        ) : (
          <StatusChip tone="bad">not reviewed yet</StatusChip>
        )
      }
    >
      <p>
        {exception.approver} let it begin <Timestamp at={exception.at} />: “{exception.comment}”
      </p>
      {exception.reviewed_at ? (
        <p>
          {exception.reviewed_by} reviewed it <Timestamp at={exception.reviewed_at} />: “
          {exception.review_comment}”
        </p>
      ) : (
        <ReviewForm runId={run.id} people={[run.requested_by, exception.approver]} />
      )}
    </Panel>
  );
}
