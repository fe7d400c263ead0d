import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { commands } from "@/api/commands";
import { runQuery } from "@/api/resources/runs";
import type { Run } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useCan } from "@/components/use-session";
import { isRunFinished } from "@/domain/workflow";
import { Panel } from "@/ui/Panel";

type Act = "abort" | "resume";

const CALLS: Record<Act, (run: Run, comment: string) => Promise<Run>> = {
  abort: commands.abortRun,
  resume: commands.resumeRun,
};

function useAct(run: Run, act: Act, comment: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => CALLS[act](run, comment),
    onSuccess: (answer) => client.setQueryData(runQuery(run.id).queryKey, answer),
  });
}

interface ActProps {
  run: Run;
  act: Act;
  words: string;
  doing: string;
  /** Destructive or not easily taken back: asks once more, in the same place. */
  ask?: boolean;
}

function RunActionButton({ run, act, words, doing, ask = false }: ActProps) {
  const [asked, setAsked] = useState(false);
  const [comment, setComment] = useState("");
  const call = useAct(run, act, comment);
  return (
    <div className="stack attest">
      {call.isError && <ProblemAlert error={call.error} action={doing} />}
      {(asked || !ask) && (
        <TextInput
          label="Comment for the record"
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
      )}
      <div className="row">
        {ask && !asked ? (
          <Button variant="default" onClick={() => setAsked(true)}>
            {words}…
          </Button>
        ) : (
          <Button
            {...(act === "abort" ? { color: "red.8" } : {})}
            loading={call.isPending}
            onClick={() => call.mutate()}
          >
            {words}
          </Button>
        )}
        {asked && (
          <Button variant="default" onClick={() => setAsked(false)}>
            Let it go on
          </Button>
        )}
      </div>
    </div>
  );
}

/** What abort would do at this moment; refused after the point of no return, with the reason. */
export function AbortPanel({ run }: { run: Run }) {
  const mayAbort = useCan("abort");
  if (isRunFinished(run.state)) return null;
  return (
    <Panel title="If you abort now">
      <p className="dim">
        {run.abort_effect || "What abort would do is not known at this moment."}
      </p>
      {mayAbort && run.can_abort && (
        <RunActionButton
          run={run}
          act="abort"
          words={`Abort this ${run.kind}`}
          doing="Aborting"
          ask
        />
      )}
      {mayAbort && !run.can_abort && (
        <Button variant="default" disabled mt={8}>
          Abort
        </Button>
      )}
    </Panel>
  );
}

export function ResumePanel({ run }: { run: Run }) {
  const mayRun = useCan("run");
  if (run.state !== "needs_operator") return null;
  return (
    <Panel title="It waits for you" tone="bad">
      <p>{run.next_action || run.outcome}</p>
      {mayRun && (
        <RunActionButton
          run={run}
          act="resume"
          words="Look at the nodes again and go on"
          doing="Resuming"
        />
      )}
    </Panel>
  );
}
