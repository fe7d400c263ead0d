/** Channels that stopped on a row, and the versions of that row. */
import type { ChannelError, Direction, Finding } from "@/api/types";

/** Duplicate key and missing row: for these errors the server reads the row. */
const ROW_ERRORS = [1062, 1032];

/** Directions whose channel stopped on a row, according to the findings of the link. */
export function stoppedOnRows(findings: readonly Finding[]): Direction[] {
  return findings
    .filter((finding) => ROW_ERRORS.includes(Number(finding.facts.errno)))
    .map((finding) => finding.facts.direction as Direction);
}

type Image = Record<string, unknown> | null | undefined;

export interface RowVersion {
  head: string;
  image: Image;
  /** Shown where this version has no row. */
  absent: string;
}

/** The versions of the row. An insert has no version before it and a delete has none after it. */
export function versionsOf(error: ChannelError): RowVersion[] {
  const row = error.row;
  if (!row) return [];
  const onReplica = row.replica.length > 0 ? row.replica : [null];
  const transaction = [
    { head: `Before the ${row.operation}`, image: row.before, absent: "" },
    { head: `After the ${row.operation}`, image: row.after, absent: "" },
  ];
  return [
    ...transaction.filter((version) => version.image),
    { head: `${error.source} now`, image: row.source, absent: row.source_unread || "no row" },
    ...onReplica.map((image) => ({ head: `${error.replica} now`, image, absent: "no row" })),
  ];
}

/** The statements in their order, grouped into one session per node. */
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
