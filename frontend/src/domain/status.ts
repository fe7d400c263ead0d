/** A status is a shape, a word and a colour. This module holds the words; `ui/StatusIcon` draws the shapes. */
import type { Tone } from "@/ui/StatusIcon";

export interface Status {
  tone: Tone;
  word: string;
}

const LINK: Record<string, Status> = {
  protected: { tone: "ok", word: "Protected" },
  unproven: { tone: "warn", word: "Not proven" },
  degraded: { tone: "warn", word: "Degraded" },
  broken: { tone: "bad", word: "Broken" },
  failed_over: { tone: "warn", word: "Failed over" },
  unprotected: { tone: "bad", word: "Unprotected" },
  unknown: { tone: "unknown", word: "Unknown" },
  retired: { tone: "neutral", word: "Retired" },
};

const SEVERITY: Record<string, Status> = {
  ok: { tone: "ok", word: "passed" },
  info: { tone: "info", word: "info" },
  warning: { tone: "warn", word: "warning" },
  unknown: { tone: "unknown", word: "unknown" },
  blocker: { tone: "bad", word: "blocker" },
};

const READINESS: Record<string, Status> = {
  ready: { tone: "ok", word: "ready" },
  blocked: { tone: "bad", word: "blocked" },
  unknown: { tone: "unknown", word: "unknown" },
  not_needed: { tone: "neutral", word: "not needed" },
};

const RUN: Record<string, Status> = {
  waiting_approval: { tone: "warn", word: "Waiting for approval" },
  queued: { tone: "info", word: "Queued" },
  running: { tone: "info", word: "Running" },
  succeeded: { tone: "ok", word: "Succeeded" },
  failed: { tone: "bad", word: "Failed" },
  aborted: { tone: "neutral", word: "Aborted" },
  needs_operator: { tone: "bad", word: "Needs an operator" },
};

const STEP: Record<string, Status> = {
  pending: { tone: "neutral", word: "pending" },
  running: { tone: "info", word: "running" },
  succeeded: { tone: "ok", word: "done" },
  failed: { tone: "bad", word: "failed" },
  skipped: { tone: "neutral", word: "skipped" },
  undone: { tone: "warn", word: "undone" },
};

const CLUSTER: Record<string, Status> = {
  primary: { tone: "ok", word: "Primary" },
  degraded: { tone: "warn", word: "Degraded" },
  split: { tone: "bad", word: "Split" },
  non_primary: { tone: "bad", word: "Non-Primary" },
  down: { tone: "bad", word: "Down" },
  unknown: { tone: "unknown", word: "Unknown" },
};

const CHANNEL: Record<string, Status> = {
  running: { tone: "ok", word: "running" },
  stopped: { tone: "bad", word: "stopped" },
  broken: { tone: "bad", word: "broken" },
  unknown: { tone: "unknown", word: "unknown" },
  stray: { tone: "warn", word: "stray" },
};

const VERDICT: Record<string, Status> = {
  verified: { tone: "ok", word: "Verified" },
  partly: { tone: "warn", word: "Partly verified" },
  not_verified: { tone: "bad", word: "Not verified" },
};

const CAPACITY: Record<string, Status> = {
  keeps_up: { tone: "ok", word: "keeps up" },
  catches_up: { tone: "info", word: "catches up" },
  falls_behind: { tone: "bad", word: "falls behind" },
  unknown: { tone: "unknown", word: "unknown" },
};

const COMPARED_TABLE: Record<string, Status> = {
  waiting: { tone: "neutral", word: "waiting" },
  comparing: { tone: "info", word: "comparing" },
  equal: { tone: "ok", word: "equal" },
  different: { tone: "bad", word: "different" },
  not_compared: { tone: "warn", word: "not compared" },
};

const TABLES = {
  link: LINK,
  severity: SEVERITY,
  readiness: READINESS,
  run: RUN,
  step: STEP,
  cluster: CLUSTER,
  channel: CHANNEL,
  verdict: VERDICT,
  capacity: CAPACITY,
  compared_table: COMPARED_TABLE,
};

/** The text of a state; an unknown state keeps its own name and the tone of unknown. */
export function statusFor(table: keyof typeof TABLES, state: string): Status {
  return TABLES[table][state] ?? { tone: "unknown", word: state };
}
