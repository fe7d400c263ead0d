import { Button, TextInput } from "@mantine/core";
import { useReviewRun } from "@/api/resources/runs";
import { reviewRefusal } from "@/domain/pending-approvals";
import { ProblemAlert } from "./ProblemAlert";
import { showSuccess } from "./toast";
import { useServerForm } from "./use-server-form";
import { useCurrentUser } from "./use-session";

/** Another user's review of a run that started without an approval. */
export function ReviewForm({ runId, people }: { runId: string; people: readonly string[] }) {
  const user = useCurrentUser();
  const review = useReviewRun(runId);
  const { form, submit, problem } = useServerForm({ initialValues: { comment: "" } });
  if (!user) return null;
  const refusal = reviewRefusal(people, user);
  if (refusal) return <p className="dim">{refusal}</p>;
  const send = submit(async ({ comment }) => {
    await review.mutateAsync(comment.trim());
    showSuccess("Review recorded.");
  });
  return (
    <form onSubmit={send} className="stack attest">
      {problem !== null && <ProblemAlert error={problem} action="record the review" />}
      <TextInput
        label="Review comment"
        description="Recorded in the audit log"
        maxLength={2000}
        required
        {...form.getInputProps("comment")}
      />
      <div className="row">
        <Button type="submit" loading={review.isPending} disabled={!form.values.comment.trim()}>
          Record review
        </Button>
      </div>
    </form>
  );
}
