import { Button } from "@mantine/core";
import { useState } from "react";
import { useAbortRun } from "@/api/resources/runs";
import type { Run } from "@/api/types";
import { CommentForm } from "@/components/CommentForm";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { useCan } from "@/components/use-session";
import { operationLabel } from "@/domain/operations";
import { isRunFinished } from "@/domain/workflow";
import { Panel } from "@/ui/Panel";

/** What aborting the run does at this moment; refused after the point of no return, with the reason. */
export function AbortPanel({ run }: { run: Run }) {
  const mayAbort = useCan("abort");
  const abort = useAbortRun(run);
  // Asks in the panel, so that the steps of the run stay visible while the user decides.
  const [isAsking, setAsking] = useState(false);
  if (isRunFinished(run.state)) return null;
  const label = `Abort ${operationLabel(run.kind).toLowerCase()}`;
  const effect = run.abort_effect || "The effect of aborting is unknown at this moment.";
  return (
    <Panel title="Abort">
      <p className="dim">{effect}</p>
      {mayAbort && run.can_abort && isAsking && (
        <CommentForm
          submitLabel={label}
          color="red.8"
          isPending={abort.isPending}
          action="abort the run"
          onSubmit={(comment) => abort.mutateAsync(comment)}
        >
          <Button variant="default" onClick={() => setAsking(false)}>
            Keep running
          </Button>
        </CommentForm>
      )}
      {mayAbort && !(run.can_abort && isAsking) && (
        <DisabledReasonButton
          variant="default"
          mt={8}
          disabledReason={run.can_abort ? null : effect}
          onClick={() => setAsking(true)}
        >
          {label}
          {run.can_abort && "…"}
        </DisabledReasonButton>
      )}
    </Panel>
  );
}
