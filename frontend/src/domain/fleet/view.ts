/** A view of the list of links: what is shown of it, in which order and in which groups. All of it is in the address. */
import type { LinkRow } from "@/api/types";
import { adviceRank, passesAdvice } from "./advice";
import { type AdviceFilter, type Group, type Layout, LINK_STATES, type Sort } from "./view-options";

export interface LinkFilter {
  q?: string | undefined;
  state?: (typeof LINK_STATES)[number] | undefined;
  /** A site that the link has on either side. */
  site?: string | undefined;
  environment?: string | undefined;
  /** Both sites, as `pairOf` names them. */
  pair?: string | undefined;
  /** Only links that need a person. */
  attention?: boolean | undefined;
  advice?: AdviceFilter | undefined;
}

export interface LinkView extends LinkFilter {
  sort?: Sort | undefined;
  desc?: boolean | undefined;
  group?: Group | undefined;
}

/** With this many links, each fits on the first screen as a card. */
const MOST_CARDS = 6;
export const hasTooManyCards = (count: number): boolean => count > MOST_CARDS;
export const defaultLayout = (count: number): Layout =>
  hasTooManyCards(count) ? "table" : "cards";

/** Both sites, in the order of the alphabet: the same whichever side is active. */
export const pairOf = ({ active_cluster: active, standby_cluster: standby }: LinkRow): string =>
  [active.site, standby.site].toSorted((a, b) => a.localeCompare(b)).join(" ⇄ ");

const needsAttention = (row: LinkRow): boolean => row.attention.length > 0;

const textOf = (row: LinkRow) =>
  [
    row.name,
    row.environment,
    ...[row.active_cluster, row.standby_cluster].flatMap(({ name, site }) => [name, site]),
    ...[row.forward, row.reverse].flatMap((channel) =>
      channel ? [channel.source_name, channel.replica_name] : [],
    ),
  ]
    .join(" ")
    .toLowerCase();

/** Whether the row passes the filter; each word of the text occurs in a name of link, cluster, site or node. */
function passes(row: LinkRow, filter: LinkFilter): boolean {
  const { q, state, site, environment, pair, attention, advice } = filter;
  if (environment && row.environment !== environment) return false;
  if (state && row.state !== state) return false;
  if (site && row.active_cluster.site !== site && row.standby_cluster.site !== site) return false;
  if (pair && pairOf(row) !== pair) return false;
  if (attention && !needsAttention(row)) return false;
  if (advice && !passesAdvice(row, advice)) return false;
  if (!q) return true;
  const text = textOf(row);
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const READINESS_RANKS = ["ready", "not_needed", "unknown", "blocked"];

/** The latest successful rehearsal of any operation; null where there was none. */
export const lastPassedAt = (row: LinkRow): string | null =>
  Object.values(row.readiness)
    .map(({ passed_at }) => passed_at)
    .reduce((newest, at) => (at && (!newest || at > newest) ? at : newest), null);

const RANKS: readonly string[] = LINK_STATES;
export const rankOf = (state: string): number => RANKS.indexOf(state);

/** An unknown value counts as the worst: it is last, and first where the order is reversed. */
const worst = (value: number | null | undefined) => value ?? Number.POSITIVE_INFINITY;

const KEYS: Record<Exclude<Sort, "name" | "site">, (row: LinkRow) => number> = {
  attention: (row) => row.urgency,
  state: (row) => rankOf(row.state),
  lag: (row) => worst(row.forward?.lag_s),
  gap: (row) => worst(row.forward?.gap_transactions),
  readiness: (row) => READINESS_RANKS.indexOf(row.readiness.failover?.state ?? "unknown"),
  advice: adviceRank,
  rehearsal: (row) => {
    const at = lastPassedAt(row);
    return at === null ? worst(null) : -Date.parse(at);
  },
  recovery_point: (row) => worst(row.recovery_point?.transactions),
  recovery_time: (row) => worst(row.recovery_time?.seconds),
};

/** One for all comparisons: `localeCompare` with options makes one for each. */
const NAMES = new Intl.Collator(undefined, { numeric: true });

const byName = (a: LinkRow, b: LinkRow) => NAMES.compare(a.name, b.name);
const bySite = (a: LinkRow, b: LinkRow) =>
  a.active_cluster.site.localeCompare(b.active_cluster.site);

function comparison(sort: Sort): (a: LinkRow, b: LinkRow) => number {
  if (sort === "name") return byName;
  if (sort === "site") return bySite;
  const key = KEYS[sort];
  return (a, b) => {
    const [left, right] = [key(a), key(b)];
    return left === right ? 0 : left < right ? -1 : 1;
  };
}

/** The rows that pass the filter, sorted; equal ones by name. */
export function visibleRows(rows: readonly LinkRow[], view: LinkView): LinkRow[] {
  const compare = comparison(view.sort ?? "attention");
  const sign = view.desc ? -1 : 1;
  return rows
    .filter((row) => passes(row, view))
    .sort((a, b) => sign * compare(a, b) || byName(a, b));
}

export interface LinkGroup {
  key: string;
  rows: LinkRow[];
}

const GROUP_KEYS: Record<Exclude<Group, "none">, (row: LinkRow) => string> = {
  attention: (row) => (needsAttention(row) ? "attention" : "calm"),
  state: (row) => row.state,
  site: (row) => row.active_cluster.site,
  pair: pairOf,
};

/** Sorted rows in groups, in the order of their keys; what needs a person, or is worst, is first. */
export function groupsOf(rows: readonly LinkRow[], group: Group): LinkGroup[] {
  if (group === "none") return [{ key: "", rows: [...rows] }];
  const keyOf = GROUP_KEYS[group];
  const groups = new Map<string, LinkGroup>();
  for (const row of rows) {
    const key = keyOf(row);
    const found = groups.get(key) ?? { key, rows: [] };
    found.rows.push(row);
    groups.set(key, found);
  }
  return [...groups.values()].sort((a, b) => order(group, a.key, b.key));
}

function order(group: Group, a: string, b: string): number {
  if (group === "state") return rankOf(b) - rankOf(a);
  return a.localeCompare(b);
}

/** All sites of the rows, by name. */
export const sitesOf = (rows: readonly LinkRow[]): string[] =>
  [...new Set(rows.flatMap((row) => [row.active_cluster.site, row.standby_cluster.site]))].sort(
    (a, b) => a.localeCompare(b),
  );

/** All environments of the rows, by name. */
export const environmentsOf = (rows: readonly LinkRow[]): string[] =>
  [...new Set(rows.map(({ environment }) => environment).filter(Boolean))].sort((a, b) =>
    a.localeCompare(b),
  );

/** The row as it is shown once the console has not answered for too long: nothing of it is current. */
export const asUnknown = (row: LinkRow): LinkRow => ({
  ...row,
  state: "unknown",
  advice: null,
  forward: row.forward && { ...row.forward, state: "unknown" },
  reverse: row.reverse && { ...row.reverse, state: "unknown" },
  readiness: Object.fromEntries(
    Object.entries(row.readiness).map(([kind, entry]) => [
      kind,
      { ...entry, state: "unknown" as const },
    ]),
  ),
});
