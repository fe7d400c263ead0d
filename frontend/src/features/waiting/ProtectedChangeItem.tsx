import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { commands } from "@/api/commands";
import type { CurrentUser, ProtectedChange } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Timestamp } from "@/components/Timestamp";
import { TimeUntil } from "@/components/TimeUntil";
import { useCurrentUser } from "@/components/use-session";
import { confirmRefusal, rejectEffect } from "@/domain/pending-approvals";
import css from "./Waiting.module.css";

function useDecision(change: ProtectedChange, comment: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (decision: "confirm" | "reject") =>
      decision === "confirm"
        ? commands.confirmChange(change.id, comment.trim())
        : commands.rejectChange(change.id, comment.trim()),
    onSuccess: () =>
      Promise.all(
        ["waiting", "users", "links", "tokens", "sessions"].map((key) =>
          client.invalidateQueries({ queryKey: [key] }),
        ),
      ),
  });
}

/** The one who asked may take it back; to confirm it takes somebody else. */
function Decide({ change, me }: { change: ProtectedChange; me: CurrentUser }) {
  const [comment, setComment] = useState("");
  const decide = useDecision(change, comment);
  const never = confirmRefusal(change, me);
  const because = never ?? (comment.trim() ? null : "Write a comment for the record first.");
  return (
    <div className="stack attest">
      {decide.isError && <ProblemAlert error={decide.error} action="Deciding on the change" />}
      <p className="dim">{rejectEffect(change)}</p>
      {never && <p className="dim">{never}</p>}
      <TextInput
        label="Comment for the record"
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        maxLength={2000}
      />
      <div className="row">
        <DisabledReasonButton
          disabledReason={because}
          loading={decide.isPending && decide.variables === "confirm"}
          onClick={() => decide.mutate("confirm")}
        >
          Confirm
        </DisabledReasonButton>
        <Button
          variant="default"
          loading={decide.isPending && decide.variables === "reject"}
          onClick={() => decide.mutate("reject")}
        >
          Reject
        </Button>
      </div>
    </div>
  );
}

/** A change that one administrator asked for and that a second one, or time, lets take effect. */
export function ProtectedChangeItem({ change }: { change: ProtectedChange }) {
  const me = useCurrentUser();
  return (
    <li className={css.entry}>
      <p className={css.what}>{change.summary}</p>
      <p className="dim">
        {change.requested_by} asked for it <Timestamp at={change.requested_at} />; by itself it
        takes effect <TimeUntil at={change.effective_at} />
      </p>
      {me?.role === "admin" && <Decide change={change} me={me} />}
      {me && me.role !== "admin" && <p className="dim">{confirmRefusal(change, me)}</p>}
    </li>
  );
}
