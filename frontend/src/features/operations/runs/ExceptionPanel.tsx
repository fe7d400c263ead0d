import type { Run } from "@/api/types";
import { ReviewForm } from "@/components/ReviewForm";
import { Timestamp } from "@/components/Timestamp";
import { exceptionOf } from "@/domain/pending-approvals";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";

/** A run that was started without approval: who started it, why, and what its review found. */
export function ExceptionPanel({ run }: { run: Run }) {
  const exception = exceptionOf(run);
  if (exception === null) return null;
  const isReviewed = exception.reviewed_at !== null;
  return (
    <Panel
      title="Started without approval"
      tone="bad"
      aside={
        <StatusChip tone={isReviewed ? "ok" : "bad"}>
          {isReviewed ? "reviewed" : "not reviewed yet"}
        </StatusChip>
      }
    >
      <p>
        {exception.approver} started the run <Timestamp at={exception.at} />: “{exception.comment}”
      </p>
      {isReviewed ? (
        <p>
          {exception.reviewed_by} reviewed the exception <Timestamp at={exception.reviewed_at} />: “
          {exception.review_comment}”
        </p>
      ) : (
        <ReviewForm runId={run.id} people={[run.requested_by, exception.approver]} />
      )}
    </Panel>
  );
}
