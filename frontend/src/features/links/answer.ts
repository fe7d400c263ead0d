import type { Channel, Link, Readiness } from "@/api/types";
import { grouped } from "@/lib/numbers";
import { formatEstimate } from "@/lib/time";
import type { Tone } from "@/lib/tone";

export interface Answer {
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
      : `losing ${grouped(readiness.loss_transactions)}`;
  return `${time} · ${loss}`;
}

/** "Could I act now?" for one link, in one word and one line. Old facts make every answer unknown. */
export function couldAct(link: Link, stale: boolean): Answer {
  const readiness = link.readiness.relocate;
  if (stale) return { tone: "unknown", word: "unknown", detail: "facts are too old to say" };
  if (!readiness) return { tone: "unknown", word: "unknown", detail: "not checked yet" };
  switch (readiness.answer) {
    case "ready":
      return { tone: "ok", word: "yes", detail: cost(readiness) };
    case "not_needed":
      return { tone: "ok", word: "not needed", detail: readiness.sentence };
    case "blocked":
      return { tone: "bad", word: "no", detail: readiness.sentence };
    case "unknown":
      return { tone: "unknown", word: "unknown", detail: readiness.sentence };
  }
}

/** The lag of a direction as a short line; strays are told elsewhere. */
export function lagLine(channels: readonly Channel[], direction: "forward" | "reverse"): string {
  const channel = channels.find((entry) => entry.direction === direction && !entry.stray);
  if (!channel) return "no channel";
  if (channel.state === "unknown") return "unknown";
  const gap = channel.gap_transactions;
  const waits = gap === null ? "gap unknown" : gap === 0 ? "in step" : `${grouped(gap)} behind`;
  const seconds = !channel.lag_s ? "" : ` · ${channel.lag_s} s`;
  return channel.state === "running" ? `${waits}${seconds}` : `${channel.state}, ${waits}`;
}
