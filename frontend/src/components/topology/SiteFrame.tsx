import type { Cluster, Link, LinkDetail, Node } from "@/api/types";
import { nodeFence, sideFence } from "@/domain/fencing";
import { statusFor } from "@/domain/status";
import { formatNumber } from "@/lib/format/number";
import type { Box, TopologyLayout } from "./layout";
import css from "./TopologyDiagram.module.css";

interface SideShown {
  cluster: Cluster;
  brief: Link["active_cluster"];
  part: string;
  invalidated: boolean;
}

/** Home stands on the left for good: sites do not trade places when they trade roles. */
export function sidesOf(link: LinkDetail): [SideShown, SideShown] {
  const invalid = (id: string) => id === link.invalidated_cluster;
  const active: SideShown = {
    cluster: link.clusters.active,
    brief: link.active_cluster,
    part: "active",
    invalidated: invalid(link.active_cluster.id),
  };
  const standby: SideShown = {
    cluster: link.clusters.standby,
    brief: link.standby_cluster,
    part: invalid(link.standby_cluster.id) ? "invalidated" : "standby",
    invalidated: invalid(link.standby_cluster.id),
  };
  return link.home_cluster.id === standby.brief.id ? [standby, active] : [active, standby];
}

const WALL = 6;

/** The fence before each node, on the side the applications come from: a wall, a gap, or not known. */
function FenceBar({
  nodes,
  site,
  picture,
}: {
  nodes: readonly Node[];
  site: Box;
  picture: TopologyLayout;
}) {
  const left = site.x < picture.width / 2;
  const x = left ? site.x + 6 : site.x + site.width - 6 - WALL;
  return nodes.map((node) => {
    const box = picture.nodes.get(node.id);
    const fence = nodeFence(node.read_only);
    if (!box || fence === "open") return null;
    return (
      <rect
        key={node.id}
        className={fence === "fenced" ? css.wall : css.wallUnknown}
        x={x}
        y={box.y - 6}
        width={WALL}
        height={box.height + 12}
      >
        <title>{`${node.name}: ${fence === "fenced" ? "fenced, read_only is ON" : "fence not known"}`}</title>
      </rect>
    );
  });
}

/** One site: its name, its part, its wall, and what it holds. */
export function SiteFrame({
  side,
  box,
  picture,
}: {
  side: SideShown;
  box: Box;
  picture: TopologyLayout;
}) {
  const { cluster, part, brief, invalidated } = side;
  const status = statusFor("cluster", brief.status);
  const right = `${status.word} ${brief.nodes_up}/${brief.nodes}`;
  const fence = sideFence(cluster.nodes);
  return (
    <g>
      <rect
        className={`${css.site} ${invalidated ? css.invalidated : ""}`}
        x={box.x}
        y={box.y}
        width={box.width}
        height={box.height}
        rx={12}
      />
      <text className={css.siteName} x={box.x + 18} y={box.y + 26}>
        {cluster.name} · {part}
      </text>
      <text className={css.sub} x={box.x + box.width - 18} y={box.y + 26} textAnchor="end">
        {right}
      </text>
      <FenceBar nodes={cluster.nodes} site={box} picture={picture} />
      <text className={css.sub} x={box.x + 18} y={box.y + box.height - 11}>
        seqno {formatNumber(brief.last_committed)}
      </text>
      <g className={css[fence.tone]}>
        <text
          className={css.fence}
          x={box.x + box.width - 18}
          y={box.y + box.height - 11}
          textAnchor="end"
        >
          {fence.words}
        </text>
      </g>
    </g>
  );
}

/** Where the histories part: told between the sites, below whatever channel still joins them. */
export function DivergenceMark({ link, picture }: { link: LinkDetail; picture: TopologyLayout }) {
  const divergence = link.divergence;
  if (!divergence || !link.invalidated_cluster) return null;
  const lost = divergence.loss.transactions;
  const loss =
    lost === null ? " · loss not known" : lost === 0 ? "" : ` · ${formatNumber(lost)} lost`;
  return (
    <g className={css.bad} transform={`translate(${picture.width / 2} ${picture.height - 84})`}>
      <path d="M0 0v12l-5 6 10 7-10 7 5 6v10" className={css.crack} />
      <text className={css.parted} y={-10} textAnchor="middle">
        histories part{loss}
      </text>
      <text className={css.sub} y={66} textAnchor="middle">
        after seqno {formatNumber(divergence.applied.seqno)}
      </text>
    </g>
  );
}
