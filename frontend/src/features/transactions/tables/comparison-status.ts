/** How a comparison, a row and its key are told in words. */
import type { RowDifference, TableComparison } from "@/api/types";
import type { Status } from "@/domain/status";
import { formatNumber, pluralize } from "@/lib/format/number";
import { formatAge } from "@/lib/format/time";
import { formatValue } from "@/lib/format/value";

export const isUnfinished = ({ state }: TableComparison): boolean =>
  state === "running" || state === "paused";

/** A comparison that runs tells in its sentence what it waits for. */
export function statusOf(comparison: TableComparison): Status {
  const { state, sentence, tables, tables_different, tables_not_compared } = comparison;
  if (state === "running")
    return sentence ? { tone: "warn", word: "Waiting" } : { tone: "info", word: "Running" };
  if (state === "paused") return { tone: "neutral", word: "Paused" };
  if (state === "stopped") return { tone: "neutral", word: "Stopped" };
  if (tables_different > 0) return { tone: "bad", word: "Different" };
  return tables_not_compared > 0 || tables === 0
    ? { tone: "warn", word: "Not all compared" }
    : { tone: "ok", word: "Equal" };
}

/** How many of its tables are in which state; a state that none is in is left out. */
export function countsOf(comparison: TableComparison): Status[] {
  const { tables, tables_equal, tables_different, tables_not_compared } = comparison;
  const open = tables - tables_equal - tables_different - tables_not_compared;
  const counts: [number, Status["tone"], string][] = [
    [tables_different, "bad", "different"],
    [tables_not_compared, "warn", "not, or not whole, compared"],
    [tables_equal, "ok", "equal"],
    [open, "neutral", "open"],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, tone, words]) => ({ tone, word: `${pluralize(count, "table")} ${words}` }));
}

/** "1,200 of about 5,000 rows, about 12 min left"; without the estimate once it has ended. */
export function progressText(comparison: TableComparison): string {
  const { rows, estimated_rows, remaining_s, tables } = comparison;
  if (!isUnfinished(comparison)) return `${pluralize(rows, "row")} compared`;
  if (tables === 0) return "The tables are being listed";
  const left = remaining_s === null ? "" : `, about ${formatAge(remaining_s)} left`;
  return `${formatNumber(rows)} of about ${pluralize(estimated_rows, "row")}${left}`;
}

/** "id = 7, sku = A-17". */
export const keyText = (key: NonNullable<RowDifference["key"]>): string =>
  Object.entries(key)
    .map(([column, value]) => `${column} = ${formatValue(value)}`)
    .join(", ");

/** What is known of a table without a key, of which no row can be named. */
export const WHOLE_TABLE_WORDS: Record<RowDifference["apart"], string> = {
  different: "The node has as many rows, but others.",
  missing: "The node has fewer rows.",
  extra: "The node has more rows.",
};
