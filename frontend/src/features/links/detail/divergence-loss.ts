import type { LinkDetail } from "@/api/types";
import { formatNumber, pluralize } from "@/lib/format/number";

type Loss = NonNullable<LinkDetail["divergence"]>["loss"];

/** A lower bound of what was read of the lost side; exact once the orphans of the returned one are counted. */
export function lossFigure({ at_least: atLeast, is_exact: isExact, orphaned }: Loss): string {
  if (isExact) return pluralize(orphaned ?? 0, "transaction");
  if (atLeast === null) return "unknown";
  return atLeast === 0 ? "none known" : `at least ${pluralize(atLeast, "transaction")}`;
}

/** What was counted, and what the plan had counted before. */
export function lossNote({
  is_exact: isExact,
  at_least: atLeast,
  planned_transactions: planned,
}: Loss): string {
  if (isExact) return "counted on the side that returned, unless they are replayed; read";
  const before = planned === null ? "" : `; ${formatNumber(planned)} before the drain`;
  const counted = atLeast === null ? "not counted after the drain" : "not yet counted exactly";
  return `${counted}${before}; last read`;
}
