import type { LinkDetail } from "@/api/types";
import { formatNumber, pluralize } from "@/lib/format/number";
import { formatAge } from "@/lib/format/time";

type Loss = NonNullable<LinkDetail["divergence"]>["loss"];

/** The loss as counted after the relay log was applied to its end; without a count, the maximum from the plan. */
export function lossFigure({ transactions, planned_transactions: planned }: Loss): string {
  if (transactions !== null) return pluralize(transactions, "transaction");
  return planned === null ? "unknown" : `at most ${pluralize(planned, "transaction")}`;
}

/** The maximum from the plan, and how old the last reading of the lost side was. */
export function lossNote(loss: Loss): string {
  const { transactions, planned_transactions: planned, seconds } = loss;
  const age =
    seconds === null
      ? "time of last reading: unknown"
      : `counted from data read ${formatAge(seconds)} before`;
  if (planned === null) return age;
  const bound =
    transactions === null
      ? "not counted after the drain"
      : `after the drain; the plan stated at most ${formatNumber(planned)}`;
  return `${bound}; ${age}`;
}
