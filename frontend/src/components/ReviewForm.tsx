import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { commands } from "@/api/commands";
import { reviewRefusal } from "@/domain/pending-approvals";
import { ProblemAlert } from "./ProblemAlert";
import { useCurrentUser } from "./use-session";

/** What somebody else found about a run that began without a second person. */
export function ReviewForm({ runId, people }: { runId: string; people: readonly string[] }) {
  const me = useCurrentUser();
  const [comment, setComment] = useState("");
  const client = useQueryClient();
  const review = useMutation({
    mutationFn: () => commands.reviewRun(runId, comment.trim()),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["runs"] }),
        client.invalidateQueries({ queryKey: ["waiting"] }),
      ]),
  });
  if (!me) return null;
  const because = reviewRefusal(people, me);
  if (because) return <p className="dim">{because}</p>;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    review.mutate();
  };
  return (
    <form onSubmit={submit} className="stack attest">
      {review.isError && <ProblemAlert error={review.error} action="Recording the review" />}
      <TextInput
        label="What you found"
        description="Goes into the audit record"
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        maxLength={2000}
        required
      />
      <div className="row">
        <Button type="submit" loading={review.isPending} disabled={!comment.trim()}>
          Record the review
        </Button>
      </div>
    </form>
  );
}
