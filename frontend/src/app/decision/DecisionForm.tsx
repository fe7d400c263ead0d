import { Checkbox, Textarea } from "@mantine/core";
import { useState } from "react";
import { useApproveRun, useRejectRun } from "@/api/resources/runs";
import type { Plan, Run } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { useServerTime } from "@/components/use-server-time";
import { secondsUntil } from "@/domain/pending-approvals";
import { shortHash } from "@/lib/format/number";
import css from "./Decision.module.css";

/** What is missing before the run can be decided on; null where nothing is. */
function useMissing(run: Run, comment: string): string | null {
  const isExpired = secondsUntil(run.approval_expires_at, useServerTime()) === 0;
  if (isExpired) return "The approval period has ended. Create a new plan.";
  return comment.trim() === "" ? "Enter a comment first." : null;
}

/** The approval or the rejection of exactly the plan that this page shows, with a comment. */
export function DecisionForm({ run, plan }: { run: Run; plan: Plan }) {
  const [hasRead, setRead] = useState(false);
  const [action, setAction] = useState("approve the run");
  const approve = useApproveRun(run);
  const reject = useRejectRun(run);
  const { form, attempt, problem } = useServerForm({ initialValues: { comment: "" } });
  const missing = useMissing(run, form.values.comment);
  const decide = (what: string, send: typeof approve, done: string) => () => {
    setAction(`${what} the run`);
    void attempt(form.getValues(), async ({ comment }) => {
      await send.mutateAsync(comment.trim());
      showSuccess(done);
    });
  };
  return (
    <div className="stack attest">
      {problem !== null && <ProblemAlert error={problem} action={action} />}
      <Checkbox
        checked={hasRead}
        onChange={(event) => setRead(event.currentTarget.checked)}
        label={`I have read the plan with the digest ${shortHash(plan.digest, 16)}`}
      />
      <Textarea
        label="Comment"
        description="Recorded in the audit log"
        maxLength={2000}
        autosize
        required
        {...form.getInputProps("comment")}
      />
      <div className={css.buttons}>
        <DisabledReasonButton
          size="lg"
          disabledReason={missing ?? (hasRead ? null : "Read the plan, then check the box.")}
          loading={approve.isPending}
          onClick={decide("approve", approve, "Your approval is recorded.")}
        >
          Approve run
        </DisabledReasonButton>
        <DisabledReasonButton
          size="lg"
          color="red.8"
          disabledReason={missing}
          loading={reject.isPending}
          onClick={decide("reject", reject, "The run is rejected.")}
        >
          Reject run
        </DisabledReasonButton>
      </div>
    </div>
  );
}
