/** Which channels of a link stopped on a row, and what is shown of it. */
import type { ChannelError, Direction, Finding } from "@/api/types";

/** A row in the way, a row that is missing: of these errors the server tells the row. */
const ROW_ERRORS = [1062, 1032];

/** Directions whose channel stopped on a row, as the link's findings tell. */
export function stoppedOnRows(findings: readonly Finding[]): Direction[] {
  return findings
    .filter((finding) => ROW_ERRORS.includes(Number(finding.facts.errno)))
    .map((finding) => finding.facts.direction as Direction);
}

type Image = Record<string, unknown> | null | undefined;

export interface RowVersion {
  head: string;
  image: Image;
  /** Said in place of a row. */
  absent: string;
}

/** The row by who has it; an insert found none, and a delete leaves none: neither is a column. */
export function versionsOf(error: ChannelError): RowVersion[] {
  const row = error.row;
  if (!row) return [];
  const inTheWay = row.replica.length > 0 ? row.replica : [null];
  const transaction = [
    { head: `Before the ${row.operation}`, image: row.before, absent: "" },
    { head: `After the ${row.operation}`, image: row.after, absent: "" },
  ];
  return [
    ...transaction.filter((version) => version.image),
    { head: `${error.source} now`, image: row.source, absent: row.source_unread || "no row" },
    ...inTheWay.map((image) => ({ head: `${error.replica} now`, image, absent: "no row" })),
  ];
}

/** Statements by node, in their order: one session each. */
export function sessionsOf(
  statements: ChannelError["ways"][number]["statements"],
): { node: string; sql: string[] }[] {
  const sessions: { node: string; sql: string[] }[] = [];
  for (const { node, sql } of statements) {
    const last = sessions.at(-1);
    if (last?.node === node) last.sql.push(sql);
    else sessions.push({ node, sql: [sql] });
  }
  return sessions;
}
