/** What stands between the two sites of a link: its channels, the missing ones, and what separates the sites. */
import type { Channel, Direction, LinkDetail } from "@/api/types";
import { formatNumber } from "@/lib/format/number";
import { textWidth } from "@/lib/text-width";
import type { Tone } from "@/ui/StatusIcon";
import { channelBacklog, channelHead, channelNotes, channelTone } from "./channel-text";
import { SIGN_WIDTH, type SignInput } from "./layout";

export const HEAD_SIZE = 24;
export const DETAIL_SIZE = 22;
/** The room for a line of text: the point of the sign and its margins are not. */
export const TEXT_WIDTH = SIGN_WIDTH - 44;

/** A pair of nodes that the channels would use, with its label. */
export interface ProposedChannel {
  sourceNode: string;
  replicaNode: string;
  label: string;
}

export interface Sign {
  key: string;
  kind: "channel" | "missing" | "proposed" | "diverged";
  tone: Tone;
  /** Null where it goes both ways, or nowhere. */
  direction: Direction | null;
  head: string;
  details: string[];
  /** For the text below the picture: between which nodes. */
  between: string | null;
  error: string;
  from: string | null;
  to: string | null;
}

/** Joins what fits on a line. */
function wrapped(bits: readonly string[]): string[] {
  const lines: string[] = [];
  for (const bit of bits) {
    const longer = lines.length > 0 ? `${lines.at(-1)} · ${bit}` : bit;
    if (lines.length > 0 && textWidth(longer, DETAIL_SIZE) <= TEXT_WIDTH)
      lines[lines.length - 1] = longer;
    else lines.push(bit);
  }
  return lines;
}

function channelSign(link: LinkDetail, channel: Channel, index: number, stale: boolean): Sign {
  const { source_name: source, replica_name: replica } = channel;
  return {
    key: `${index} ${channel.direction}`,
    kind: "channel",
    tone: channelTone(channel, stale),
    direction: channel.direction,
    head: channelHead(channel, stale),
    details: wrapped([...channelBacklog(link, channel), ...channelNotes(channel, stale)]),
    between: `${source || "unknown source"} → ${replica || "unknown replica"}`,
    error: channel.error,
    from: channel.source_node,
    to: channel.replica_node,
  };
}

const unconnected = { between: null, error: "", from: null, to: null };

/** After a failover no channel is expected. */
function missingSign(link: LinkDetail, direction: Direction, stale: boolean): Sign {
  const lastKnown = link.age_s === null ? "no data yet" : "last known: none";
  return {
    ...unconnected,
    key: `no ${direction}`,
    kind: "missing",
    tone: stale ? "unknown" : link.invalidated_cluster ? "neutral" : "bad",
    direction,
    head: stale ? `${direction} · unknown` : `no ${direction} channel`,
    details: stale ? [lastKnown] : [],
  };
}

function divergenceSign({ divergence, invalidated_cluster }: LinkDetail): Sign[] {
  if (!divergence || !invalidated_cluster) return [];
  const { at_least: lost, is_exact: isExact } = divergence.loss;
  const bound = isExact ? "" : "at least ";
  return [
    {
      ...unconnected,
      key: "diverged",
      kind: "diverged",
      tone: "bad",
      direction: null,
      head: "diverged",
      details: [
        ...(lost === 0
          ? []
          : [lost === null ? "loss unknown" : `${bound}${formatNumber(lost)} lost`]),
        `after ${formatNumber(divergence.applied.seqno)}`,
      ],
    },
  ];
}

function proposedSign({ label, sourceNode, replicaNode }: ProposedChannel): Sign {
  const [head = label, ...details] = label.split(": ");
  return {
    ...unconnected,
    key: "proposed",
    kind: "proposed",
    tone: "info",
    direction: null,
    head,
    details,
    from: sourceNode,
    to: replicaNode,
  };
}

/** All signs, from top to bottom as far as the nodes leave them free. */
export function signsOf(
  link: LinkDetail,
  proposal: ProposedChannel | null,
  stale: boolean,
): Sign[] {
  const missing = (["forward", "reverse"] as const).filter(
    (direction) => !link.channels.some((channel) => channel.direction === direction),
  );
  return [
    ...link.channels.map((channel, index) => channelSign(link, channel, index, stale)),
    ...missing.map((direction) => missingSign(link, direction, stale)),
    ...divergenceSign(link),
    ...(proposal ? [proposedSign(proposal)] : []),
  ];
}

export const layoutInput = ({ from, to, details }: Sign): SignInput => ({
  from,
  to,
  lines: 1 + details.length,
});
