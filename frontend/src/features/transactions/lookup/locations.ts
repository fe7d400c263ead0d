/** How a location in a log and the state of a search are worded. */
import type {
  LookupNeighbour,
  LookupNodeLocation,
  LookupSide,
  LookupTransaction,
} from "@/api/types";
import type { Tone } from "@/ui/StatusIcon";

export const STATE_TONES: Record<LookupNodeLocation["state"], Tone> = {
  found: "ok",
  not_found: "neutral",
  unknown: "unknown",
};
export const STATE_WORDS: Record<LookupNodeLocation["state"], string> = {
  found: "found",
  not_found: "not found",
  unknown: "unknown",
};
export const HELD_TONES: Record<LookupSide["held"], Tone> = {
  yes: "ok",
  no: "warn",
  unknown: "unknown",
};

/** "written", "applied", "not applied", "unknown": what a side has of the transaction. */
export function heldWords({ held, is_origin }: LookupSide): string {
  if (held === "unknown") return "unknown";
  const words = is_origin ? "written here" : "applied";
  return held === "yes" ? words : `not ${is_origin ? "in its logs" : "applied"}`;
}

/** "binlog.000042:1309", as CHANGE MASTER and this page's form take it. */
export const positionText = ({ file, position }: { file: string; position: number }): string =>
  `${file}:${position}`;

export const NEIGHBOUR_WORDS: Record<LookupNeighbour["state"], string> = {
  transaction: "",
  log_start: "none, the retained log begins here",
  log_end: "none, the log ends here",
  not_read: "not read",
};

/** A key for a list: one transaction begins at one location of a node. */
export const keyOf = (transaction: LookupTransaction): string => {
  const held = transaction.nodes.find(({ location }) => location);
  return held?.location ? `${held.node_id} ${positionText(held.location)}` : transaction.at;
};
