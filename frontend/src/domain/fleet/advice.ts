/** Open advice on the configuration of a link and its clusters, in a list of links. */
import type { LinkRow } from "@/api/types";
import { RISKS } from "@/domain/advice";
import { pluralize } from "@/lib/format/number";
import type { Tone } from "@/ui/StatusIcon";
import type { AdviceFilter } from "./view-options";

type Counts = Pick<LinkRow, "advice">;

const LEVELS = ["high", "medium", "low"] as const;

export const ADVICE_FILTER_LABELS: Record<AdviceFilter, string> = {
  high: "High risk",
  open: "Any open",
  unknown: "Unknown",
};

/** The highest risk that is open; null where none is, or it is unknown. */
const highestOf = ({ advice }: Counts) => LEVELS.find((risk) => (advice?.[risk] ?? 0) > 0) ?? null;

/** Nothing was read, or not all nodes: there may be more advice. */
const isUnknown = ({ advice }: Counts): boolean => advice === null || advice.unread_nodes > 0;

export function passesAdvice(row: Counts, filter: AdviceFilter): boolean {
  if (filter === "unknown") return isUnknown(row);
  return filter === "high" ? (row.advice?.high ?? 0) > 0 : highestOf(row) !== null;
}

/** Fewer and lower risks first; what is unknown is worst. */
export function adviceRank(row: Counts): number {
  const { advice } = row;
  if (!advice || (highestOf(row) === null && isUnknown(row))) return Number.POSITIVE_INFINITY;
  return advice.high * 1e6 + advice.medium * 1e3 + advice.low;
}

interface AdviceText {
  tone: Tone;
  /** The highest risk: "1 high"; "none" only where all nodes were read. */
  value: string;
  note: string;
}

export function adviceText(row: Counts): AdviceText {
  const { advice } = row;
  if (!advice) return { tone: "unknown", value: "unknown", note: "" };
  const [highest, ...lower] = LEVELS.filter((level) => advice[level] > 0);
  const unread = isUnknown(row) ? [`${pluralize(advice.unread_nodes, "node")} not read`] : [];
  const note = [...lower.map((level) => `${advice[level]} ${level}`), ...unread].join(", ");
  if (highest) return { tone: RISKS[highest].tone, value: `${advice[highest]} ${highest}`, note };
  return isUnknown(row)
    ? { tone: "unknown", value: "unknown", note }
    : { tone: "ok", value: "none", note };
}
