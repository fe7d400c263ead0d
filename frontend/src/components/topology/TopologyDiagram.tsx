import { useNavigate } from "@tanstack/react-router";
import { useId } from "react";
import type { Channel, LinkDetail, Node } from "@/api/types";
import { sideFence } from "@/domain/fencing";
import { nodeStatus } from "@/domain/node-status";
import { statusFor } from "@/domain/status";
import { formatNumber, pluralize } from "@/lib/format/number";
import { serverNow } from "@/lib/server-clock";
import type { Tone } from "@/ui/StatusIcon";
import { type ArrowPath, type Box, layoutLink, type TopologyLayout } from "./layout";
import { DivergenceMark, SiteFrame, sidesOf } from "./SiteFrame";
import css from "./TopologyDiagram.module.css";

export interface ProposedChannel {
  sourceNode: string;
  replicaNode: string;
  label: string;
}

/** The words on an arrow: what waits, or why nobody knows. */
export function channelLabel(channel: Channel): string {
  const head = channel.stray ? `second ${channel.direction} channel` : channel.direction;
  if (channel.state === "unknown") return `${head} · not known`;
  const gap = channel.gap_transactions;
  const waiting = gap === null ? null : gap === 0 ? "nothing waits" : `${formatNumber(gap)} behind`;
  if (channel.state === "running") {
    const lag = !channel.lag_s ? "" : ` · ${channel.lag_s} s`;
    return gap === 0 ? `${head} · in step` : `${head} · ${waiting ?? "gap unknown"}${lag}`;
  }
  const word = statusFor("channel", channel.state).word;
  return waiting ? `${head} · ${word}, ${waiting}` : `${head} · ${word}`;
}

/** The sides of a link whose facts are too old: who takes writes there is not known. */
function withUnknownReadOnly(link: LinkDetail) {
  const blank = (node: Node) => ({ ...node, read_only: null });
  const [left, right] = sidesOf(link);
  return [left, right].map((side) => ({
    ...side,
    cluster: { ...side.cluster, nodes: side.cluster.nodes.map(blank) },
  })) as [typeof left, typeof right];
}

function channelTone(channel: Channel, stale: boolean): Tone {
  if (stale) return "unknown";
  if (channel.state === "running") return channel.stray ? "warn" : "info";
  return statusFor("channel", channel.state).tone;
}

const HEADS = ["ok", "info", "warn", "bad", "unknown", "neutral"] as const;

const SHAPE: Record<Tone, string> = {
  ok: "M0 -4.6a4.6 4.6 0 1 0 .01 0z",
  info: "M-3 -4.4 4.4 0 -3 4.4z",
  warn: "M0 -5 5.4 4.6H-5.4z",
  bad: "M-2.8 -4.9h5.6L5.6 0 2.8 4.9h-5.6L-5.6 0z",
  unknown: "M0 -4a4 4 0 1 0 .01 0z",
  neutral: "M-4 -1h8v2h-8z",
};

function NodeBox({ node, box, ageS }: { node: Node; box: Box; ageS: number | null }) {
  const navigate = useNavigate();
  const status = nodeStatus(node, ageS, serverNow());
  return (
    <g className={`${css.node} ${css[status.tone]}`}>
      <a
        href={`/clusters?node=${node.id}`}
        aria-label={`${node.name}: ${status.line}`}
        onClick={(event) => {
          event.preventDefault();
          void navigate({ to: "/clusters", search: { node: node.id } });
        }}
      >
        <title>{`${node.name} · ${node.host}:${node.port}${node.error ? ` · ${node.error}` : ""}`}</title>
        <rect x={box.x} y={box.y} width={box.width} height={box.height} />
        <path
          d={SHAPE[status.tone]}
          transform={`translate(${box.x + 20} ${box.y + 24})`}
          fill={status.tone === "unknown" ? "none" : "currentColor"}
          stroke={status.tone === "unknown" ? "currentColor" : "none"}
          strokeWidth={1.7}
        />
        <text className={css.name} x={box.x + 32} y={box.y + 28.5}>
          {node.name}
        </text>
        <text className={css.sub} x={box.x + 16} y={box.y + 48}>
          {status.line}
        </text>
      </a>
    </g>
  );
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

interface ArrowsProps {
  picture: TopologyLayout;
  channels: readonly Channel[];
  proposal: ProposedChannel | null;
  stale: boolean;
  head: string;
}

function Arrows({ picture, channels, proposal, stale, head }: ArrowsProps) {
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

function UnplacedChannels({ channels }: { channels: readonly Channel[] }) {
  return (
    <ul className="dim">
      {channels.map((channel) => (
        <li key={`${channel.direction}${channel.source_name}${channel.replica_name}`}>
          {channelLabel(channel)}: {channel.source_name || "unknown source"} →{" "}
          {channel.replica_name || "unknown replica"}
          {channel.recorded && " (last known)"}
        </li>
      ))}
    </ul>
  );
}

/** Two sites, their nodes as they are, and each channel between the nodes it really joins. */
export function TopologyDiagram(props: {
  link: LinkDetail;
  ageS: number | null;
  stale: boolean;
  proposal?: ProposedChannel | null;
}) {
  const { link, ageS, stale, proposal = null } = props;
  const head = useId();
  const clusters = link.clusters;
  const channels = link.channels;
  const [left, right] = stale ? withUnknownReadOnly(link) : sidesOf(link);
  const picture = layoutLink(
    left.cluster,
    right.cluster,
    channels.map((c) => ({
      direction: c.direction,
      sourceNode: c.source_node,
      replicaNode: c.replica_node,
    })),
    proposal,
  );
  const behind = ageS === null || link.age_s === null ? null : ageS - link.age_s;
  const nodeAge = (node: Node) =>
    node.age_s === null || behind === null ? null : node.age_s + behind;
  const told = [left, right].map(
    (side) => `${side.cluster.name} is ${side.part}, ${sideFence(side.cluster.nodes).words}`,
  );
  const label = `${told.join("; ")}. ${channels
    .map(
      (c) =>
        `${channelLabel(c)} from ${c.source_name || "unknown"} to ${c.replica_name || "unknown"}`,
    )
    .join("; ")}. ${pluralize(picture.nodes.size, "node")}.`;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be drawn in SVG; the group holds links */}
      <svg
        viewBox={`0 0 ${picture.width} ${picture.height}`}
        className={css.picture}
        role="group"
        aria-label={label}
      >
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
        <SiteFrame side={left} box={picture.sites[0]} picture={picture} />
        <SiteFrame side={right} box={picture.sites[1]} picture={picture} />
        <DivergenceMark link={link} picture={picture} />
        {[...clusters.active.nodes, ...clusters.standby.nodes].map((node) => {
          const box = picture.nodes.get(node.id);
          return box && <NodeBox key={node.id} node={node} box={box} ageS={nodeAge(node)} />;
        })}
        <Arrows
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
    </>
  );
}
