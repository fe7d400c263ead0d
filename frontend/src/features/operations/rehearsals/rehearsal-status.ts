import type { Rehearsal, RehearsedKind } from "@/api/types";
import type { Status } from "@/domain/status";
import { formatNumber } from "@/lib/format/number";

/** The operations that can be rehearsed, in the order in which they are listed. */
export const REHEARSED: readonly RehearsedKind[] = [
  "relocate",
  "switchover",
  "failover",
  "reprotect",
  "failback",
];

export const resultOf = (rehearsal: Rehearsal): Status =>
  rehearsal.state === "passed" ? { tone: "ok", word: "passed" } : { tone: "bad", word: "failed" };

/** "0", "12 (2 s)", "unknown": the data loss of the operation. */
export function lossOf(rehearsal: Rehearsal): string {
  const { transactions, seconds } = rehearsal.loss;
  if (transactions === null) return "unknown";
  return transactions === 0 || seconds === null
    ? formatNumber(transactions)
    : `${formatNumber(transactions)} (${seconds} s)`;
}
