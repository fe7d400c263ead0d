import type { Run } from "@/api/types";
import { useServerTime } from "@/components/use-server-time";
import { formatElapsed } from "@/lib/format/time";
import css from "./Run.module.css";

function Running({ sinceMs }: { sinceMs: number }) {
  return <>{formatElapsed(useServerTime(100) - sinceMs, true)}</>;
}

/** The time from the confirmation to the end of a run; while it runs, to now by the server's clock. */
export function ElapsedTime({ run }: { run: Run }) {
  const sinceMs = Date.parse(run.created_at);
  return (
    <span className={css.clock} role="timer" aria-label="Time since confirmation">
      {run.ended_at ? (
        formatElapsed(Date.parse(run.ended_at) - sinceMs, true)
      ) : (
        <Running sinceMs={sinceMs} />
      )}
    </span>
  );
}
