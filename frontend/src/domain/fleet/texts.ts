/** The words of the list of links: why a link needs a person, and what a cell of its row says. */
import type { AttentionCode, LinkRow, RowChannel } from "@/api/types";
import { knownLag } from "@/domain/behind";
import { operationLabel } from "@/domain/operations";
import { type Status, statusFor } from "@/domain/status";
import { formatNumber, pluralize } from "@/lib/format/number";
import { formatAge, formatEstimate } from "@/lib/format/time";
import type { Tone } from "@/ui/StatusIcon";
import { lastPassedAt } from "./view";
import type { Group, Sort } from "./view-options";

const TONES: Record<AttentionCode, Tone> = {
  diverged: "bad",
  run_needs_operator: "bad",
  link_down: "bad",
  approval_waiting: "warn",
  not_observed: "unknown",
  failover_blocked: "bad",
  failover_unknown: "unknown",
  degraded: "warn",
  unproven: "warn",
  rehearsal_failed: "warn",
  rehearsal_overdue: "warn",
};

export const attentionTone = (code: AttentionCode): Tone => TONES[code];

export const SORT_LABELS: Record<Sort, string> = {
  attention: "Urgency",
  name: "Name",
  state: "State",
  site: "Active site",
  lag: "Lag",
  gap: "Gap",
  readiness: "Readiness",
  advice: "Advice",
  rehearsal: "Last rehearsal",
  recovery_point: "Recovery point",
  recovery_time: "Recovery time",
};

export const GROUP_LABELS: Record<Group, string> = {
  attention: "Needs attention",
  state: "State",
  site: "Active site",
  pair: "Pair of sites",
  none: "No groups",
};

/** The heading of a group with the number of its links. */
export function groupTitle(group: Group, key: string, count: number): string {
  const links = pluralize(count, "link");
  if (group === "attention")
    return key === "attention" ? `Needs attention: ${links}` : `No attention needed: ${links}`;
  if (group === "state") return `${statusFor("link", key).word}: ${links}`;
  if (group === "site") return `Active in ${key}: ${links}`;
  return `${key}: ${links}`;
}

/** A cell's value, and below it from what it is known. */
export interface CellText {
  value: string;
  note: string;
}

const ago = (at: string, nowMs: number) =>
  `${formatAge(Math.max(10, (nowMs - Date.parse(at)) / 1000))} ago`;

const SOURCES = { observed: "observed", run: "last failover", rehearsal: "rehearsal" } as const;

function sourceNote(known: { source: keyof typeof SOURCES; at: string }, nowMs: number): string {
  return known.source === "observed" ? "now" : `${SOURCES[known.source]}, ${ago(known.at, nowMs)}`;
}

const UNKNOWN: CellText = { value: "unknown", note: "" };

/** What a failover would lose. */
export function recoveryPointText({ recovery_point: known }: LinkRow, nowMs: number): CellText {
  if (!known) return UNKNOWN;
  const value = known.transactions === 0 ? "nothing" : formatNumber(known.transactions);
  const span =
    known.transactions > 0 && known.seconds !== null ? `${formatAge(known.seconds)} · ` : "";
  return { value, note: `${span}${sourceNote(known, nowMs)}` };
}

/** How long a failover takes. */
export function recoveryTimeText({ recovery_time: known }: LinkRow, nowMs: number): CellText {
  if (!known) return UNKNOWN;
  return { value: formatEstimate(known.seconds), note: sourceNote(known, nowMs) };
}

/** The lag of a direction in seconds: "0 s", or why it has none. */
export function lagText(channel: RowChannel | null): string {
  if (!channel) return "no channel";
  if (channel.state !== "running") return channel.state;
  const lag = knownLag(channel);
  return lag === null ? "unknown" : `${lag} s`;
}

/** The transactions that the standby lacks. */
export function gapText(channel: RowChannel | null): string {
  if (!channel || channel.state === "unknown") return "unknown";
  const { gap_transactions: gap, gap_at_least: atLeast } = channel;
  return gap === null && atLeast ? `at least ${formatNumber(atLeast)}` : formatNumber(gap);
}

/** The latest successful rehearsal, and the operations whose last one failed. */
export function rehearsalText(row: LinkRow, nowMs: number): CellText {
  const passed = lastPassedAt(row);
  const failed = Object.entries(row.readiness)
    .filter(([, { passed_at, failed_at }]) => failed_at && (!passed_at || failed_at > passed_at))
    .map(([kind]) => operationLabel(kind).toLowerCase());
  const isOverdue = row.attention.some(({ code }) => code === "rehearsal_overdue");
  const notes = [
    ...(failed.length > 0 ? [`failed: ${failed.join(", ")}`] : []),
    ...(isOverdue ? ["overdue"] : []),
  ];
  return { value: passed ? ago(passed, nowMs) : "never", note: notes.join(" · ") };
}

/** The time of the last rehearsal of each operation, for a hover text. */
export const rehearsalsInFull = (row: LinkRow, nowMs: number): string =>
  Object.entries(row.readiness)
    .flatMap(([kind, { passed_at: at }]) =>
      at ? [`${operationLabel(kind)}: passed ${ago(at, nowMs)}`] : [],
    )
    .join("\n");

/** Whether a failover is possible, and which other operation for a site is not. */
export function readinessText({ readiness }: LinkRow): { failover: Status; note: string } {
  const stateOf = (kind: string) => readiness[kind]?.state ?? "unknown";
  const others = ["switchover", "relocate"].filter((kind) => stateOf(kind) !== "ready");
  return {
    failover: statusFor("readiness", stateOf("failover")),
    note: others.map((kind) => `${kind} ${statusFor("readiness", stateOf(kind)).word}`).join(", "),
  };
}

/** The reverse direction, where it is not simply running without lag. */
export const reverseNote = ({ reverse }: LinkRow): string =>
  reverse?.state === "running" && knownLag(reverse) === 0 ? "" : `reverse: ${lagText(reverse)}`;
