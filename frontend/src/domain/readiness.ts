import type { Direction, Link, Readiness } from "@/api/types";
import { formatNumber } from "@/lib/format/number";
import { formatEstimate } from "@/lib/format/time";
import type { Tone } from "@/ui/StatusIcon";
import { appliedAllText, behindText } from "./behind";

export interface ReadinessText {
  tone: Tone;
  word: string;
  /** The expected duration and data loss, or the reason why not. */
  detail: string;
}

/** The transactions that an operation loses, or how many at least. */
export function lossText({ loss_transactions: lost, loss_at_least: atLeast }: Readiness): string {
  if (lost !== null) return `data loss: ${formatNumber(lost)}`;
  return atLeast ? `data loss: at least ${formatNumber(atLeast)}` : "data loss unknown";
}

function cost(readiness: Readiness): string {
  const time =
    readiness.estimate_s === null ? "time unknown" : `in ${formatEstimate(readiness.estimate_s)}`;
  return `${time} · ${lossText(readiness)}`;
}

/** Ready without data loss is good; ready with a loss, or with an unknown one, is a warning. */
function ready(readiness: Readiness, prefix: string): ReadinessText {
  const tone = readiness.loss_transactions === 0 ? "ok" : "warn";
  return { tone, word: "ready", detail: `${prefix}${cost(readiness)}` };
}

const UNKNOWN: ReadinessText = { tone: "unknown", word: "unknown", detail: "not checked yet" };

/**
 * Whether applications could be moved to the standby now. While the active side is up that is a
 * switchover, which loses nothing; old data makes every answer unknown.
 */
export function failoverReadiness(link: Link, stale: boolean): ReadinessText {
  const { failover, switchover } = link.readiness;
  if (stale) return { ...UNKNOWN, detail: "data is too old" };
  if (switchover?.state === "ready") return ready(switchover, "switchover ");
  if (failover?.state === "ready") return ready(failover, "");
  const unknown = [failover, switchover].find((entry) => entry?.state === "unknown");
  if (unknown) return { ...UNKNOWN, detail: unknown.sentence };
  const blocked = [failover, switchover].find((entry) => entry?.state === "blocked");
  if (blocked) return { tone: "bad", word: "blocked", detail: blocked.sentence };
  if (failover) return { tone: "neutral", word: "not needed", detail: failover.sentence };
  return UNKNOWN;
}

/** The effect of losing the active side now; null where a switchover is not possible either. */
export function siteLossImpact(link: Link, stale: boolean): string | null {
  const { failover, switchover } = link.readiness;
  if (stale || switchover?.state !== "ready" || !failover) return null;
  if (failover.state === "ready")
    return `if ${link.active_cluster.name} is lost: ${cost(failover)}`;
  const atLeast = failover.loss_at_least ? lossText(failover) : "unknown";
  return failover.state === "unknown" ? `if ${link.active_cluster.name} is lost: ${atLeast}` : null;
}

/** Whether the link could be relocated now. */
export function relocateReadiness(link: Link, stale: boolean): ReadinessText {
  const readiness = link.readiness.relocate;
  if (stale) return { ...UNKNOWN, detail: "data is too old" };
  switch (readiness?.state) {
    case "ready":
      return ready(readiness, "");
    case "not_needed":
      return { tone: "neutral", word: "not needed", detail: readiness.sentence };
    case "blocked":
      return { tone: "bad", word: "blocked", detail: readiness.sentence };
    case "unknown":
      return { ...UNKNOWN, detail: readiness.sentence };
    case undefined:
      return UNKNOWN;
  }
}

/** The lag of a direction as a short line; stray channels are left out. */
export function lagLine(link: Link, direction: Direction): string {
  const channel = link.channels.find((entry) => entry.direction === direction && !entry.stray);
  if (!channel) return "no channel";
  if (channel.state === "unknown") return "unknown";
  const waits =
    channel.gap_transactions === 0 ? appliedAllText(link, direction) : behindText(channel);
  const seconds = !channel.lag_s ? "" : ` · ${channel.lag_s} s`;
  return channel.state === "running" ? `${waits}${seconds}` : `${channel.state}, ${waits}`;
}
