import { useMediaQuery } from "@mantine/hooks";
import { useId, useState } from "react";
import type { Channel, LinkDetail, Node } from "@/api/types";
import { sideFence } from "@/domain/fencing";
import { pluralize } from "@/lib/format/number";
import { ChannelArrows, type ProposedChannel } from "./ChannelArrows";
import { channelLabel } from "./channel-text";
import { DivergenceMark } from "./DivergenceMark";
import { layoutLink } from "./layout";
import { NodeBox } from "./NodeBox";
import { SiteFrame } from "./SiteFrame";
import { type Side, sidesOf, sidesWithUnknownFence } from "./sides";
import css from "./TopologyDiagram.module.css";
import { TopologyText } from "./TopologyText";

const HEADS = ["ok", "info", "warn", "bad", "unknown", "neutral"] as const;

/** The arrow heads, one for each tone. */
function ArrowHeads({ head }: { head: string }) {
  return (
    <defs>
      {HEADS.map((tone) => (
        <marker
          key={tone}
          id={`${head}-${tone}`}
          className={css[tone]}
          viewBox="0 0 8 8"
          refX="6.5"
          refY="4"
          markerWidth="5.2"
          markerHeight="5.2"
          orient="auto-start-reverse"
        >
          <path d="M0 0L8 4L0 8z" fill="currentColor" stroke="none" />
        </marker>
      ))}
    </defs>
  );
}

/** Channels whose nodes are not in the diagram. */
function UnplacedChannels({ channels }: { channels: readonly Channel[] }) {
  return (
    <ul className="dim">
      {channels.map((channel) => (
        <li key={`${channel.direction}${channel.source_name}${channel.replica_name}`}>
          {channelLabel(channel)}: {channel.source_name || "unknown source"} →{" "}
          {channel.replica_name || "unknown replica"}
          {channel.recorded && " (last known state)"}
        </li>
      ))}
    </ul>
  );
}

/** The diagram as one sentence for screen readers. */
function diagramLabel(sides: readonly Side[], channels: readonly Channel[], nodes: number): string {
  const roles = sides.map(
    ({ cluster, role }) => `${cluster.name} is ${role}, ${sideFence(cluster.nodes).words}`,
  );
  const paths = channels.map(
    (channel) =>
      `${channelLabel(channel)} from ${channel.source_name || "unknown"} to ${channel.replica_name || "unknown"}`,
  );
  return `${roles.join("; ")}. ${paths.join("; ")}. ${pluralize(nodes, "node")}.`;
}

/** Both sites with their nodes, and each channel between the nodes it is configured on. */
export function TopologyDiagram(props: {
  link: LinkDetail;
  ageS: number | null;
  stale: boolean;
  proposal?: ProposedChannel | null;
}) {
  const { link, ageS, stale, proposal = null } = props;
  const head = useId();
  // Six nodes side by side cannot be read at that width.
  const isPhone = useMediaQuery("(max-width: 600px)", false, { getInitialValueInEffect: false });
  const [isTextOpen, setTextOpen] = useState(false);
  const { clusters, channels } = link;
  const sides = stale ? sidesWithUnknownFence(link) : sidesOf(link);
  const [left, right] = sides;
  const picture = layoutLink(
    left.cluster,
    right.cluster,
    channels.map((channel) => ({
      direction: channel.direction,
      sourceNode: channel.source_node,
      replicaNode: channel.replica_node,
    })),
    proposal,
  );
  const sinceReadS = ageS === null || link.age_s === null ? null : ageS - link.age_s;
  const nodeAge = (node: Node) =>
    node.age_s === null || sinceReadS === null ? null : node.age_s + sinceReadS;
  const text = (
    <TopologyText
      sides={sides}
      channels={channels}
      proposal={proposal}
      stale={stale}
      nodeAge={nodeAge}
    />
  );
  if (isPhone) return text;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be drawn in SVG; the group holds links */}
      <svg
        viewBox={`0 0 ${picture.width} ${picture.height}`}
        className={css.picture}
        role="group"
        aria-label={diagramLabel(sides, channels, picture.nodes.size)}
      >
        <ArrowHeads head={head} />
        <SiteFrame side={left} box={picture.sites[0]} picture={picture} />
        <SiteFrame side={right} box={picture.sites[1]} picture={picture} />
        <DivergenceMark link={link} picture={picture} />
        {[...clusters.active.nodes, ...clusters.standby.nodes].map((node) => {
          const box = picture.nodes.get(node.id);
          return box && <NodeBox key={node.id} node={node} box={box} ageS={nodeAge(node)} />;
        })}
        <ChannelArrows
          picture={picture}
          channels={channels}
          proposal={proposal}
          stale={stale}
          head={head}
        />
      </svg>
      {picture.unplaced.length > 0 && (
        <UnplacedChannels channels={picture.unplaced.flatMap((i) => channels[i] ?? [])} />
      )}
      <details className={css.asText} onToggle={(event) => setTextOpen(event.currentTarget.open)}>
        <summary className="dim">The same as text</summary>
        {isTextOpen && text}
      </details>
    </>
  );
}
