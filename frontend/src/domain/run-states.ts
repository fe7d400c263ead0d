import type { RunState } from "@/api/types";

/** The states of a run, in the order in which it can pass them. */
export const RUN_STATES = [
  "waiting_approval",
  "queued",
  "running",
  "succeeded",
  "failed",
  "aborted",
  "needs_operator",
] as const satisfies readonly RunState[];
