import type { Channel, Direction, Link } from "@/api/types";
import { formatNumber } from "@/lib/format/number";
import { formatAge } from "@/lib/format/time";

type Gap = Pick<Channel, "gap_transactions" | "gap_at_least">;

/** What a replica lacks: all of it, or as many as were read of a side that may have written more. */
export function behindText({ gap_transactions: gap, gap_at_least: atLeast }: Gap): string {
  if (gap !== null) return `${formatNumber(gap)} behind`;
  return atLeast ? `at least ${formatNumber(atLeast)} behind` : "gap unknown";
}

/** As the server says in the sentence of a link, for its forward direction. */
const MAY_LACK_ROWS = "may lack rows";

type Account = Pick<Link, "sentence"> & Partial<Pick<Link, "findings">>;

/** A direction in which nothing waits. Rows may have been left out all the same: its link then says so. */
export function appliedAllText({ sentence, findings = [] }: Account, direction: Direction): string {
  const isLacking = findings.some(
    ({ code, facts }) =>
      (code === "transactions_left_out" && facts.direction === direction) ||
      // What a side holds, and the other one did not send, the direction back ignores.
      (code === "transactions_not_from_source" && facts.direction !== direction),
  );
  const isDoubted = direction === "forward" && sentence.includes(MAY_LACK_ROWS);
  return isLacking || isDoubted ? MAY_LACK_ROWS : "in sync";
}

type Lag = Pick<Channel, "gap_transactions" | "lag_s">;

/** The lag as its server reports it. It reports 0 before it has read anything, too: alone that says nothing. */
export const knownLag = ({ gap_transactions: gap, lag_s: lag }: Lag): number | null =>
  gap === null && lag === 0 ? null : lag;

/** "3 s", "lag unknown". */
export function lagText(channel: Lag): string {
  const lag = knownLag(channel);
  return lag === null ? "lag unknown" : formatAge(lag).replace(".0", "");
}
