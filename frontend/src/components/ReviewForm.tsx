import { useReviewRun } from "@/api/resources/runs";
import { reviewRefusal } from "@/domain/pending-approvals";
import { CommentForm } from "./CommentForm";
import { showSuccess } from "./toast";
import { useCurrentUser } from "./use-session";

/** Another user's review of a run that started without an approval. */
export function ReviewForm({ runId, people }: { runId: string; people: readonly string[] }) {
  const user = useCurrentUser();
  const review = useReviewRun(runId);
  if (!user) return null;
  const refusal = reviewRefusal(people, user);
  if (refusal) return <p className="dim">{refusal}</p>;
  return (
    <CommentForm
      label="Review comment"
      submitLabel="Record review"
      isRequired
      isPending={review.isPending}
      action="record the review"
      onSubmit={async (comment) => {
        await review.mutateAsync(comment);
        showSuccess("Review recorded.");
      }}
    />
  );
}
