import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useAbortRun } from "@/api/resources/runs";
import type { Run } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { useCan } from "@/components/use-session";
import { operationLabel } from "@/domain/operations";
import { isRunFinished } from "@/domain/workflow";
import { Panel } from "@/ui/Panel";

/** Asks in the panel, so that the steps of the run stay visible while the user decides. */
function AbortForm({ run, keepRunning }: { run: Run; keepRunning: () => void }) {
  const abort = useAbortRun(run);
  const { form, submit, problem } = useServerForm({ initialValues: { comment: "" } });
  return (
    <form
      className="stack attest"
      onSubmit={submit(({ comment }) => abort.mutateAsync(comment.trim()))}
    >
      {problem !== null && <ProblemAlert error={problem} action="abort the run" />}
      <TextInput
        label="Comment"
        description="Recorded in the audit log"
        maxLength={2000}
        {...form.getInputProps("comment")}
      />
      <div className="row">
        <Button type="submit" color="red.8" loading={abort.isPending}>
          Abort {operationLabel(run.kind).toLowerCase()}
        </Button>
        <Button variant="default" onClick={keepRunning}>
          Keep running
        </Button>
      </div>
    </form>
  );
}

/** What aborting the run does at this moment; refused after the point of no return, with the reason. */
export function AbortPanel({ run }: { run: Run }) {
  const mayAbort = useCan("abort");
  const [isAsking, setAsking] = useState(false);
  if (isRunFinished(run.state)) return null;
  const label = `Abort ${operationLabel(run.kind).toLowerCase()}`;
  return (
    <Panel title="Abort">
      <p className="dim">
        {run.abort_effect || "The effect of aborting is unknown at this moment."}
      </p>
      {mayAbort && run.can_abort && isAsking && (
        <AbortForm run={run} keepRunning={() => setAsking(false)} />
      )}
      {mayAbort && !(run.can_abort && isAsking) && (
        <Button variant="default" mt={8} disabled={!run.can_abort} onClick={() => setAsking(true)}>
          {label}
          {run.can_abort && "…"}
        </Button>
      )}
    </Panel>
  );
}
