/** The text and the tone of a channel in the topology diagram. */
import type { Channel, LinkDetail } from "@/api/types";
import { appliedAllText, behindText, lagText } from "@/domain/behind";
import { statusFor } from "@/domain/status";
import type { Tone } from "@/ui/StatusIcon";

/** Of a stray channel the state says only that it is one; its threads say whether it applies transactions. */
function stateWord({ state, stray, io_running, sql_running }: Channel): string {
  if (!stray) return statusFor("channel", state).word;
  if (io_running === null || sql_running === null) return "unknown";
  return io_running === "No" && sql_running === "No" ? "stopped" : "running";
}

/** "forward · running", "stray reverse · stopped". */
export function channelHead(channel: Channel, stale: boolean): string {
  const name = channel.stray ? `stray ${channel.direction}` : channel.direction;
  return `${name} · ${stale ? "unknown" : stateWord(channel)}`;
}

/** How far the channel is behind: in transactions and in seconds, each only as far as it is known. */
export function channelBacklog(link: LinkDetail, channel: Channel): string[] {
  const { gap_transactions: gap, state, direction } = channel;
  if (gap === 0 && state === "running") return [appliedAllText(link, direction)];
  const behind = behindText(channel);
  if (state !== "running") return [behind];
  return [behind, lagText(channel)];
}

/** What a reader has to know of where the facts are from. */
export function channelNotes(channel: Channel, stale: boolean): string[] {
  return [
    ...(stale || channel.recorded ? ["last known state"] : []),
    ...(channel.source_node === null ? ["source unknown"] : []),
  ];
}

export function channelTone(channel: Channel, stale: boolean): Tone {
  if (stale) return "unknown";
  if (channel.state === "running") return channel.stray ? "warn" : "ok";
  return statusFor("channel", channel.state).tone;
}
