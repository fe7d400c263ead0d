import type { Channel, Link, Readiness } from "@/api/types";
import { formatNumber } from "@/lib/format/number";
import { formatEstimate } from "@/lib/format/time";
import type { Tone } from "@/ui/StatusIcon";

export interface ReadinessText {
  tone: Tone;
  word: string;
  /** How long, losing what; or why not. */
  detail: string;
}

function cost(readiness: Readiness): string {
  const time =
    readiness.estimate_s === null ? "time unknown" : `in ${formatEstimate(readiness.estimate_s)}`;
  const loss =
    readiness.loss_transactions === null
      ? "loss unknown"
      : `losing ${formatNumber(readiness.loss_transactions)}`;
  return `${time} · ${loss}`;
}

/** Yes without loss is plain; yes with a loss, or with one nobody knows, is a warning. */
function yes(readiness: Readiness, how: string): ReadinessText {
  const tone = readiness.loss_transactions === 0 ? "ok" : "warn";
  return { tone, word: "yes", detail: `${how}${cost(readiness)}` };
}

const UNKNOWN: ReadinessText = { tone: "unknown", word: "unknown", detail: "not checked yet" };

/**
 * "Could I fail over now?" for one link, in one word and one line. While the active side lives
 * the way over is a switchover, which loses nothing; old facts make every answer unknown.
 */
export function failoverReadiness(link: Link, stale: boolean): ReadinessText {
  const { failover, switchover } = link.readiness;
  if (stale) return { ...UNKNOWN, detail: "facts are too old to say" };
  if (switchover?.state === "ready") return yes(switchover, "switchover ");
  if (failover?.state === "ready") return yes(failover, "");
  const graver = [failover, switchover].find((entry) => entry?.state === "unknown");
  if (graver) return { ...UNKNOWN, detail: graver.sentence };
  const blocked = [failover, switchover].find((entry) => entry?.state === "blocked");
  if (blocked) return { tone: "bad", word: "no", detail: blocked.sentence };
  if (failover) return { tone: "neutral", word: "not needed", detail: failover.sentence };
  return UNKNOWN;
}

/** What a loss of the active side would cost at this moment; null where that is not the question. */
export function siteLossImpact(link: Link, stale: boolean): string | null {
  const { failover, switchover } = link.readiness;
  if (stale || switchover?.state !== "ready" || !failover) return null;
  if (failover.state === "ready")
    return `if ${link.active_cluster.name} is lost: ${cost(failover)}`;
  return failover.state === "unknown" ? `if ${link.active_cluster.name} is lost: not known` : null;
}

/** The same for a move of the link within its sites. */
export function relocateReadiness(link: Link, stale: boolean): ReadinessText {
  const readiness = link.readiness.relocate;
  if (stale) return { ...UNKNOWN, detail: "facts are too old to say" };
  switch (readiness?.state) {
    case "ready":
      return yes(readiness, "");
    case "not_needed":
      return { tone: "neutral", word: "not needed", detail: readiness.sentence };
    case "blocked":
      return { tone: "bad", word: "no", detail: readiness.sentence };
    case "unknown":
      return { ...UNKNOWN, detail: readiness.sentence };
    case undefined:
      return UNKNOWN;
  }
}

/** The lag of a direction as a short line; strays are told elsewhere. */
export function lagLine(channels: readonly Channel[], direction: "forward" | "reverse"): string {
  const channel = channels.find((entry) => entry.direction === direction && !entry.stray);
  if (!channel) return "no channel";
  if (channel.state === "unknown") return "unknown";
  const gap = channel.gap_transactions;
  const waits =
    gap === null ? "gap unknown" : gap === 0 ? "in step" : `${formatNumber(gap)} behind`;
  const seconds = !channel.lag_s ? "" : ` · ${channel.lag_s} s`;
  return channel.state === "running" ? `${waits}${seconds}` : `${channel.state}, ${waits}`;
}
