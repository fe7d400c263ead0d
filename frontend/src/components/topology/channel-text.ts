/** The text and the tone of a channel in the topology diagram. */
import type { Channel } from "@/api/types";
import { statusFor } from "@/domain/status";
import { formatNumber } from "@/lib/format/number";
import type { Tone } from "@/ui/StatusIcon";

/** The label of a channel: its direction, its state and its backlog. */
export function channelLabel(channel: Channel): string {
  const name = channel.stray ? `stray ${channel.direction} channel` : channel.direction;
  if (channel.state === "unknown") return `${name} · unknown`;
  const gap = channel.gap_transactions;
  const backlog = gap === null ? null : gap === 0 ? "in sync" : `${formatNumber(gap)} behind`;
  if (channel.state === "running") {
    const lag = gap === 0 || !channel.lag_s ? "" : ` · ${channel.lag_s} s`;
    return `${name} · ${backlog ?? "gap unknown"}${lag}`;
  }
  const { word } = statusFor("channel", channel.state);
  return backlog ? `${name} · ${word}, ${backlog}` : `${name} · ${word}`;
}

export function channelTone(channel: Channel, stale: boolean): Tone {
  if (stale) return "unknown";
  if (channel.state === "running") return channel.stray ? "warn" : "info";
  return statusFor("channel", channel.state).tone;
}
