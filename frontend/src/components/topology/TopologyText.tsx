import type { Channel, Node } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { sideFence } from "@/domain/fencing";
import { nodeStatus } from "@/domain/node-status";
import { statusFor } from "@/domain/status";
import { formatNumber } from "@/lib/format/number";
import { serverNow } from "@/lib/server-clock";
import { StatusChip } from "@/ui/StatusChip";
import type { ProposedChannel } from "./ChannelArrows";
import { channelLabel, channelTone } from "./channel-text";
import type { Side } from "./sides";
import css from "./TopologyText.module.css";

type NodeAge = (node: Node) => number | null;

function SiteText({ side, nodeAge }: { side: Side; nodeAge: NodeAge }) {
  const { cluster, role, brief } = side;
  const status = statusFor("cluster", brief.status);
  return (
    <section aria-label={`${cluster.name}, ${role}`}>
      <p className="strong">
        {cluster.name} · {role}
      </p>
      <p className="dim">
        {status.word} {brief.nodes_up}/{brief.nodes} · seqno {formatNumber(brief.last_committed)} ·{" "}
        {sideFence(cluster.nodes).words}
      </p>
      <ul>
        {cluster.nodes.map((node) => {
          const { tone, line } = nodeStatus(node, nodeAge(node), serverNow());
          return (
            <li key={node.id} className={css.row}>
              <StatusChip tone={tone}>
                <AppLink to="/clusters" search={{ node: node.id }}>
                  {node.name}
                </AppLink>
              </StatusChip>
              <span className="dim">{line}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface TopologyTextProps {
  sides: readonly Side[];
  channels: readonly Channel[];
  proposal: ProposedChannel | null;
  stale: boolean;
  nodeAge: NodeAge;
}

/** The same facts as the picture, in words: both sites with their nodes, and each channel. */
export function TopologyText(props: TopologyTextProps) {
  return (
    <div className={css.text}>
      {props.sides.map((side) => (
        <SiteText key={side.cluster.id} side={side} nodeAge={props.nodeAge} />
      ))}
      <section aria-label="Channels">
        <p className="strong">Channels</p>
        <ul>
          {props.channels.map((channel) => (
            <li
              key={`${channel.direction}${channel.source_name}${channel.replica_name}`}
              className={css.row}
            >
              <StatusChip tone={channelTone(channel, props.stale)}>
                {channelLabel(channel)}
              </StatusChip>
              <span className="dim">
                {channel.source_name || "unknown source"} →{" "}
                {channel.replica_name || "unknown replica"}
                {channel.recorded && " (last known state)"}
              </span>
            </li>
          ))}
          {props.channels.length === 0 && <li className="dim">No channel is known.</li>}
          {props.proposal && <li className="dim">{props.proposal.label}</li>}
        </ul>
      </section>
    </div>
  );
}
