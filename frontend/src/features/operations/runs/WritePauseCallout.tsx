import type { Run } from "@/api/types";
import { isRunFinished } from "@/domain/workflow";
import { formatDuration } from "@/lib/format/time";
import { Callout } from "@/ui/Callout";
import { RunningDuration } from "./RunningDuration";
import { useRunParticipants } from "./use-run-participants";

/** How long writes have been paused; shown while the run is in progress. */
export function WritePauseCallout({ run }: { run: Run }) {
  const { from, to } = useRunParticipants(run);
  const pause = run.write_pause;
  if (!pause || isRunFinished(run.state) || pause.state === "unknown") return null;
  const [old, next] = [from ?? "the old active side", to ?? "the new active side"];
  if (pause.state === "ongoing")
    return (
      <Callout
        tone="warn"
        title={
          <>
            Writes have been paused for <RunningDuration since={pause.started_at} />: {old} is
            fenced and {next} is not{" "}
            {run.roles_after?.is_opened_by_run ? "writable" : "the active side"} yet.
          </>
        }
      />
    );
  const writable = pause.ended_by === "reverted" ? old : next;
  return (
    <Callout
      tone="ok"
      title={`Writes are possible again on ${writable}. They were paused for ${formatDuration(pause.duration_s)}.`}
    />
  );
}
