import type { Channel } from "@/api/types";
import type { Tone } from "@/ui/StatusIcon";
import { channelLabel, channelTone } from "./channel-text";
import type { ArrowPath, TopologyLayout } from "./layout";
import css from "./TopologyDiagram.module.css";

/** A pair of nodes that the channels would use, with its label. */
export interface ProposedChannel {
  sourceNode: string;
  replicaNode: string;
  label: string;
}

function ArrowLabel({ arrow, text }: { arrow: ArrowPath; text: string }) {
  const width = text.length * 6.55 + 16;
  return (
    <g className={css.label}>
      <rect
        x={arrow.label.x - width / 2}
        y={arrow.label.y - 10}
        width={width}
        height={20}
        rx={10}
      />
      <text x={arrow.label.x} y={arrow.label.y + 4.2} textAnchor="middle">
        {text}
      </text>
    </g>
  );
}

interface ChannelArrowsProps {
  picture: TopologyLayout;
  channels: readonly Channel[];
  proposal: ProposedChannel | null;
  stale: boolean;
  head: string;
}

/** The channels as arrows with their labels, and the pair that a plan would use. */
export function ChannelArrows({ picture, channels, proposal, stale, head }: ChannelArrowsProps) {
  const drawn = picture.arrows.flatMap((arrow) => {
    const channel = channels[arrow.index];
    return channel ? [{ arrow, channel, tone: channelTone(channel, stale) }] : [];
  });
  const marker = (tone: Tone) => `url(#${head}-${tone})`;
  return (
    <>
      {picture.proposed && (
        <g className={css.proposed}>
          <path d={picture.proposed.path} markerEnd={marker("info")} markerStart={marker("info")} />
        </g>
      )}
      {drawn.map(({ arrow, channel, tone }) => (
        <g
          key={arrow.index}
          className={`${css.arrow} ${css[tone]} ${channel.recorded ? css.recorded : ""}`}
        >
          <path d={arrow.path} markerEnd={marker(tone)} />
        </g>
      ))}
      {drawn.map(({ arrow, channel, tone }) => (
        <g key={arrow.index} className={css[tone]}>
          <ArrowLabel arrow={arrow} text={channelLabel(channel)} />
        </g>
      ))}
      {picture.proposed && proposal && (
        <g className={css.info}>
          <ArrowLabel arrow={picture.proposed} text={proposal.label} />
        </g>
      )}
    </>
  );
}
