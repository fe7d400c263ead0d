/** How long nobody could write, and who takes writes now, told by a run's steps. */
import type { Run } from "@/api/types";

export interface WritePause {
  ms: number;
  /** Measured by the run itself, rather than told by the times of its steps. */
  measured: boolean;
  /** Still going on. */
  open: boolean;
}

const first = (times: (string | null)[]): number | null => {
  const known = times.flatMap((time) => (time ? [Date.parse(time)] : []));
  return known.length > 0 ? Math.min(...known) : null;
};

const OPENING = new Set(["swap_roles", "unfence", "accept_queries"]);

/** When writes came back: the roles swapped and every node opened, or a run that took its fences away again. */
function endOf(run: Run): number | null {
  const opening = run.steps.filter((step) => OPENING.has(step.code));
  const times = opening.flatMap((step) =>
    step.state === "succeeded" && step.ended_at ? [Date.parse(step.ended_at)] : [],
  );
  if (times.length > 0 && times.length === opening.length) return Math.max(...times);
  return run.state === "aborted" && run.ended_at ? Date.parse(run.ended_at) : null;
}

/** The write pause of a run that fences; null where none was begun. */
export function writePause(run: Run, nowMs: number): WritePause | null {
  const measured = run.verification?.write_pause_ms;
  if (measured !== undefined && measured !== null)
    return { ms: measured, measured: true, open: false };
  if (run.kind !== "switchover" && run.kind !== "failback") return null;
  const begun = first(
    run.steps.filter((step) => step.code === "fence").map((step) => step.started_at),
  );
  if (begun === null) return null;
  const end = endOf(run);
  if (end === null && run.ended_at) return null;
  return { ms: Math.max(0, (end ?? nowMs) - begun), measured: false, open: end === null };
}

/** Whether the run itself opened the new side, or found it open. */
export const openedIt = (run: Run): boolean => run.steps.some((step) => step.code === "unfence");

/** Whether the roles stand as before or swapped; null for a run that does not touch them. */
export function rolesAfter(run: Run): "before" | "swapped" | null {
  const swap = run.steps.find((step) => step.code === "swap_roles");
  if (!swap) return null;
  return swap.state === "succeeded" ? "swapped" : "before";
}
