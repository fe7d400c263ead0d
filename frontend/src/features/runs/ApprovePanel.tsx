import { TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { commands } from "@/api/commands";
import { runQuery } from "@/api/resources/runs";
import type { Run } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { TimeUntil } from "@/components/TimeUntil";
import { useServerTime } from "@/components/use-server-time";
import { useCan, useCurrentUser } from "@/components/use-session";
import { secondsUntil } from "@/domain/pending-approvals";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";

function useApproval(run: Run, comment: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => commands.approveRun(run, comment.trim()),
    onSuccess: async (answer) => {
      client.setQueryData(runQuery(run.id).queryKey, answer);
      await client.invalidateQueries({ queryKey: ["waiting"] });
    },
  });
}

function ApproveForm({ run }: { run: Run }) {
  const [comment, setComment] = useState("");
  const approve = useApproval(run, comment);
  const isLate = secondsUntil(run.approval_expires_at, useServerTime()) === 0;
  const unsaid = comment.trim() ? null : "Write a comment for the record first.";
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    approve.mutate();
  };
  return (
    <form onSubmit={submit} className="stack attest">
      {approve.isError && <ProblemAlert error={approve.error} action="Approving" />}
      <TextInput
        label="Comment for the record"
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        maxLength={2000}
        required
      />
      <div className="row">
        <DisabledReasonButton
          type="submit"
          disabledReason={isLate ? "Its time is over; make a new plan." : unsaid}
          loading={approve.isPending}
        >
          Approve: {run.summary || run.kind}
        </DisabledReasonButton>
      </div>
    </form>
  );
}

/** Somebody other than the requester says yes to exactly this plan, while there is time. */
export function ApprovePanel({ run }: { run: Run }) {
  const me = useCurrentUser();
  const mayApprove = useCan("approve");
  if (run.state !== "waiting_approval") return null;
  const own = me?.username === run.requested_by;
  return (
    <Panel title="Waiting for a second person" tone="warn">
      <p>
        {run.requested_by} asks for this: “{run.reason}”. Nothing is sent before somebody else with
        the approver role agrees.
      </p>
      <div className="note">
        <DescriptionList
          items={[
            [
              "Can be approved until",
              run.approval_expires_at ? (
                <TimeUntil key="until" at={run.approval_expires_at} />
              ) : (
                "it is aborted"
              ),
            ],
            [
              "What is approved",
              <AppLink key="plan" to="/plans/$planId/plan" params={{ planId: run.plan_id }}>
                the plan with its SQL
              </AppLink>,
            ],
            ["Its digest", <code key="digest">{run.plan_digest}</code>],
          ]}
        />
      </div>
      {own && <p className="dim note">You asked for it, so you cannot approve it.</p>}
      {!own && mayApprove && <ApproveForm run={run} />}
      {!own && !mayApprove && <p className="dim note">Your role may read this, not approve it.</p>}
    </Panel>
  );
}
