/** The links between each pair of sites: the edges of the map, and the rows of its table. */
import type { LinkRow } from "@/api/types";
import { pluralize } from "@/lib/format/number";
import type { Tone } from "@/ui/StatusIcon";
import { type Status, statusFor } from "../status";
import { pairOf, rankOf } from "./view";
import { LINK_STATES } from "./view-options";

export interface SitePair {
  /** As `pairOf` names it. */
  key: string;
  sites: readonly [string, string];
  rows: readonly LinkRow[];
  /** How many links are in each state, the worst first. */
  states: readonly (Status & { count: number })[];
}

function statesOf(rows: readonly LinkRow[]): SitePair["states"] {
  return LINK_STATES.toReversed()
    .map((state) => ({
      ...statusFor("link", state),
      count: rows.filter((row) => row.state === state).length,
    }))
    .filter(({ count }) => count > 0);
}

/** All pairs, the one with the worst link first. */
export function sitePairs(rows: readonly LinkRow[]): SitePair[] {
  const found = new Map<string, LinkRow[]>();
  for (const row of rows) found.set(pairOf(row), [...(found.get(pairOf(row)) ?? []), row]);
  const worst = (members: readonly LinkRow[]) =>
    Math.max(...members.map(({ state }) => rankOf(state)));
  return [...found]
    .sort(([a, left], [b, right]) => worst(right) - worst(left) || a.localeCompare(b))
    .map(([key, members]) => {
      const [first = "", second = ""] = key.split(" ⇄ ");
      return { key, sites: [first, second], rows: members, states: statesOf(members) };
    });
}

/** The worst state of a pair, for its colour and shape. */
export const worstOf = ({ states }: SitePair): Tone => states[0]?.tone ?? "unknown";

/** "2 of 12 broken", "12 protected". */
export function pairLabel({ rows, states }: SitePair): string {
  const [worst] = states;
  if (!worst) return "";
  const count = worst.count === rows.length ? `${rows.length}` : `${worst.count} of ${rows.length}`;
  return `${count} ${worst.word.toLowerCase()}`;
}

/** The whole of it in words. */
export const pairSentence = ({ sites, rows, states }: SitePair): string =>
  `${sites[0]} and ${sites[1]}: ${pluralize(rows.length, "link")}, ${states
    .map(({ count, word }) => `${count} ${word.toLowerCase()}`)
    .join(", ")}`;
