import type { Node } from "@/api/types";
import { nodeFence, sideFence } from "@/domain/fencing";
import { statusFor } from "@/domain/status";
import { formatNumber } from "@/lib/format/number";
import type { Box, TopologyLayout } from "./layout";
import type { Side } from "./sides";
import css from "./TopologyDiagram.module.css";

const BAR_WIDTH = 6;

/** A bar beside each node that is fenced, on the side of the applications; dashed where that is unknown. */
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
  const x = left ? site.x + 6 : site.x + site.width - 6 - BAR_WIDTH;
  return nodes.map((node) => {
    const box = picture.nodes.get(node.id);
    const fence = nodeFence(node.read_only);
    if (!box || fence === "open") return null;
    return (
      <rect
        key={node.id}
        className={fence === "fenced" ? css.fenceBar : css.fenceBarUnknown}
        x={x}
        y={box.y - 6}
        width={BAR_WIDTH}
        height={box.height + 12}
      >
        <title>{`${node.name}: ${fence === "fenced" ? "fenced (read_only=ON)" : "fence unknown"}`}</title>
      </rect>
    );
  });
}

/** One site: its name, its role, its fence and its last committed seqno. */
export function SiteFrame({
  side,
  box,
  picture,
}: {
  side: Side;
  box: Box;
  picture: TopologyLayout;
}) {
  const { cluster, role, brief, invalidated } = side;
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
        {cluster.name} · {role}
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
