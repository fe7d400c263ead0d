import type { Run } from "@/api/types";
import { Moment } from "@/components/clock";
import { ReviewForm } from "@/components/ReviewForm";
import { exceptionOf } from "@/components/waiting";
import { Chip } from "@/ui/Chip";
import { Panel } from "@/ui/Panel";

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
          <Chip tone="ok">reviewed</Chip>
        ) : (
          <Chip tone="bad">not reviewed yet</Chip>
        )
      }
    >
      <p>
        {exception.approver} let it begin <Moment at={exception.at} />: “{exception.comment}”
      </p>
      {exception.reviewed_at ? (
        <p>
          {exception.reviewed_by} reviewed it <Moment at={exception.reviewed_at} />: “
          {exception.review_comment}”
        </p>
      ) : (
        <ReviewForm runId={run.id} people={[run.requested_by, exception.approver]} />
      )}
    </Panel>
  );
}
