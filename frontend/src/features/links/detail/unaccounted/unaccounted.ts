/** The transactions of both directions as rows of one table, and what is said and sent of them. */
import type {
  Direction,
  LinkDetail,
  SettleTransactionsRequest,
  Unaccounted,
  UnaccountedTransaction,
} from "@/api/types";
import { pluralize } from "@/lib/format/number";

export const DIRECTIONS = ["forward", "reverse"] as const;

type Link = Pick<LinkDetail, "id" | "active_cluster" | "standby_cluster">;

export interface UnaccountedRow extends UnaccountedTransaction {
  direction: Direction;
  /** The names of the sides. */
  from: string;
  to: string;
}

/** Forward leads from the active side to the standby side. */
function sidesOf(link: Link, direction: Direction): { from: string; to: string } {
  const [active, standby] = [link.active_cluster.name, link.standby_cluster.name];
  return direction === "forward" ? { from: active, to: standby } : { from: standby, to: active };
}

export function wayOf(link: Link, direction: Direction): string {
  const { from, to } = sidesOf(link, direction);
  return `${from} → ${to}`;
}

export const rowsOf = (accounts: Unaccounted, link: Link): UnaccountedRow[] =>
  DIRECTIONS.flatMap((direction) =>
    accounts[direction].transactions.map((transaction) => ({
      ...transaction,
      ...sidesOf(link, direction),
      direction,
    })),
  );

const FAULTS: Record<UnaccountedRow["fault"], (row: UnaccountedRow) => string> = {
  missing: ({ to }) => `missing on ${to}`,
  filtered: ({ to }) => `missing on ${to}, filtered`,
  extra: ({ from }) => `not sent by ${from}`,
};

/** Of a transaction that is there but for some tables, these are named. */
export const faultOf = (row: UnaccountedRow): string =>
  row.tables.length === 0
    ? FAULTS[row.fault](row)
    : `${FAULTS[row.fault](row)}: ${row.tables.join(", ")}`;

/** The same GTID may stand in a log twice. */
export const rowKey = ({ fault, node_id, file, position }: UnaccountedRow): string =>
  `${fault} ${node_id} ${file} ${position}`;

/** What is settled is named by direction and GTID: rows that share both are settled together. */
export const choiceOf = ({ direction, gtid }: UnaccountedRow): string => `${direction} ${gtid}`;

/** The lookup of one transaction: a position inside it names it alone, unlike its begin, its end or its GTID. */
export const lookupOf = (link: Link, { node_id, file, end_position }: UnaccountedRow) => ({
  link: link.id,
  node: node_id,
  file,
  position: String(end_position - 1),
});

export interface Settlement extends Omit<SettleTransactionsRequest, "reason"> {
  /** So many that are not listed are settled with the last that is. */
  unlisted: number;
}

/** One call for each direction. */
export const settlements = (
  accounts: Unaccounted,
  rows: readonly UnaccountedRow[],
  chosen: ReadonlySet<string>,
): Settlement[] =>
  DIRECTIONS.map((direction) => {
    const listed = rows.filter((row) => row.direction === direction);
    const picked = listed.filter((row) => chosen.has(choiceOf(row)));
    const gtids = [...new Set(picked.map(({ gtid }) => gtid))];
    const unlisted = picked.length === listed.length ? accounts[direction].more : 0;
    return { direction, gtids, unlisted };
  }).filter(({ gtids }) => gtids.length > 0);

/** Those that were too many to be listed, and what becomes of them. */
export const unlistedTexts = (
  accounts: Unaccounted,
  link: Link,
  settled: readonly Settlement[] = [],
): string[] =>
  DIRECTIONS.filter((direction) => accounts[direction].more > 0).map((direction) => {
    const more = accounts[direction].more;
    const way = wayOf(link, direction);
    return settled.some((one) => one.direction === direction && one.unlisted > 0)
      ? `This also settles ${pluralize(more, "transaction")} of ${way} that ${more === 1 ? "is" : "are"} not listed.`
      : `Not listed: ${pluralize(more, "more transaction")} of ${way}; settled with the last that is listed.`;
  });
