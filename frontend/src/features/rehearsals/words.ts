import type { Rehearsal, RehearsedKind } from "@/api/types";
import { grouped } from "@/lib/numbers";
import type { Status } from "@/lib/tone";

/** What can be rehearsed, in the order of the acts. */
export const REHEARSED: readonly RehearsedKind[] = [
  "relocate",
  "switchover",
  "failover",
  "reprotect",
  "failback",
];

export const resultOf = (rehearsal: Rehearsal): Status =>
  rehearsal.state === "passed" ? { tone: "ok", word: "passed" } : { tone: "bad", word: "failed" };

/** "0", "12 (2 s)", "unknown": what the act would have cost. */
export function lossOf(rehearsal: Rehearsal): string {
  const { transactions, seconds } = rehearsal.loss;
  if (transactions === null) return "unknown";
  return transactions === 0 || seconds === null
    ? grouped(transactions)
    : `${grouped(transactions)} (${seconds} s)`;
}
