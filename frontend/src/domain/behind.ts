import type { Channel } from "@/api/types";
import { formatNumber } from "@/lib/format/number";

type Gap = Pick<Channel, "gap_transactions" | "gap_at_least">;

/** What a replica lacks: all of it, or as many as were read of a side that may have written more. */
export function behindText({ gap_transactions: gap, gap_at_least: atLeast }: Gap): string {
  if (gap !== null) return `${formatNumber(gap)} behind`;
  return atLeast ? `at least ${formatNumber(atLeast)} behind` : "gap unknown";
}
