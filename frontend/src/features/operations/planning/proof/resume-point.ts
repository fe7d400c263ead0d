import type { Group, Position } from "@/api/types";
import { formatNumber, shortFile } from "@/lib/format/number";

/** Pairs both lists from their ends, since both end at the resume position. */
export function alignAtResumePoint(
  applied: readonly Group[],
  sourceTransactions: readonly Group[],
): [Group | null, Group | null][] {
  const rows = Math.max(applied.length, sourceTransactions.length);
  return Array.from({ length: rows }, (_, row) => [
    applied[row - (rows - applied.length)] ?? null,
    sourceTransactions[row - (rows - sourceTransactions.length)] ?? null,
  ]);
}

function lastTransaction({ source_groups }: Position): string | null {
  const last = source_groups.at(-1);
  if (!last) return null;
  return last.seqno === null
    ? `end of ${last.kind.toUpperCase()} statement`
    : `end of transaction ${formatNumber(last.seqno)}`;
}

/** The label of the line between what is applied and what is pending. */
export function resumePointLabel(position: Position): string {
  const at = position.file
    ? `${shortFile(position.file)} : ${formatNumber(position.position)}`
    : null;
  if (position.provisional)
    return ["provisional resume position", at, "proven after the channel has stopped"]
      .filter(Boolean)
      .join(" · ");
  if (!position.proven) return "position not proven";
  return ["resume position", at, lastTransaction(position)].filter(Boolean).join(" · ");
}
