import type { LinkDetail } from "@/api/types";
import { formatNumber, pluralize } from "@/lib/format/number";
import { formatAge } from "@/lib/format/time";

type Loss = NonNullable<LinkDetail["divergence"]>["loss"];

/** What was counted once the relay log was applied to its end; the plan's bound where nobody counted. */
export function lossFigure({ transactions, planned_transactions: planned }: Loss): string {
  if (transactions !== null) return pluralize(transactions, "transaction");
  return planned === null ? "Not known" : `at most ${pluralize(planned, "transaction")}`;
}

/** The bound beside the count, and how old the last look at the lost side was. */
export function lossNote(loss: Loss): string {
  const { transactions, planned_transactions: planned, seconds } = loss;
  const age =
    seconds === null
      ? "when it was last read nobody knows"
      : `counted from what was read ${formatAge(seconds)} before`;
  if (planned === null) return age;
  const bound =
    transactions === null
      ? "not counted after the drain"
      : `after the drain; at most ${formatNumber(planned)} were planned for`;
  return `${bound}; ${age}`;
}
