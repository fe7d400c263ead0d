/** What orphaned transactions change, in words. */
import type { Orphan, OrphanTable } from "@/api/types";
import { pluralize } from "@/lib/format/number";

export const tableName = (entry: { schema: string; table: string }): string =>
  `${entry.schema}.${entry.table}`;

/** "insert shop.orders ×2, update shop.stock": what a transaction does, in order, with counts. */
export function summaryOf(orphan: Orphan): string {
  if (orphan.kind === "ddl") return orphan.statement ?? "schema change";
  const counts = new Map<string, number>();
  for (const row of orphan.rows) {
    const words = `${row.operation} ${tableName(row)}`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts].map(([words, n]) => (n > 1 ? `${words} ×${n}` : words)).join(", ");
}

/** "3 inserts, 1 delete". */
export function changesOf(table: OrphanTable): string {
  const parts = [
    [table.inserts, "insert"],
    [table.updates, "update"],
    [table.deletes, "delete"],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => pluralize(count, noun))
    .join(", ");
}

/** The transactions that touch a table; all of them where none is named. A schema change can touch every table. */
export const filterByTable = (orphans: readonly Orphan[], table: string | undefined): Orphan[] =>
  orphans.filter(
    (orphan) =>
      table === undefined ||
      orphan.kind === "ddl" ||
      orphan.rows.some((row) => tableName(row) === table),
  );
