/** What a wall shows of the links: how many are in each state, and the most urgent ones. */
import type { LinkRow } from "@/api/types";
import { appliedAllText, behindText, lagText } from "@/domain/behind";
import { type Status, statusFor } from "@/domain/status";
import { rankOf } from "./view";

/** More could not be read across a room. */
export const MOST_TILES = 20;
const MOST_COLUMNS = 5;

/** As square as tiles can be on a wide screen. */
export const columnsFor = (count: number): number =>
  Math.min(MOST_COLUMNS, Math.max(1, Math.ceil(Math.sqrt(count))));

export interface StateCount extends Status {
  state: string;
  count: number;
}

/** The states that links are in, the worst first. */
export const stateCounts = (rows: readonly LinkRow[]): StateCount[] =>
  [...new Set(rows.map(({ state }) => state))]
    .sort((a, b) => rankOf(b) - rankOf(a))
    .map((state) => ({
      ...statusFor("link", state),
      state,
      count: rows.filter((row) => row.state === state).length,
    }));

/** How far the standby is behind, or why that is unknown. */
export function backlogText(row: Pick<LinkRow, "forward" | "sentence">): string {
  const channel = row.forward;
  if (!channel) return "no forward channel";
  const { state, gap_transactions: gap } = channel;
  const behind = behindText(channel);
  if (state === "unknown") return "lag unknown";
  if (state !== "running") return `${statusFor("channel", state).word} · ${behind}`;
  if (gap === 0) return appliedAllText(row, "forward");
  return `${behind} · ${lagText(channel)}`;
}
