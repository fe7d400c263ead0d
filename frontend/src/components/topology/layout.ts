/**
 * The geometry of the topology diagram: two sites side by side, their nodes in rows, and an arrow
 * for each channel between the nodes it is configured on.
 */

const DIAGRAM_WIDTH = 860;
const SITE_WIDTH = 300;
const SITE_TOP = 6;
const NODE_TOP = 48;
const NODE_HEIGHT = 62;
const NODE_GAP = 12;
const NODE_INSET = 18;
const ARROW_GAP = 5;
const LANE = 12;
const LABEL_HEIGHT = 22;
/** Height of the line with the cluster's last committed seqno. */
const FOOTER = 20;

export interface SiteInput {
  nodes: readonly { id: string }[];
}

export interface ChannelInput {
  direction: "forward" | "reverse";
  sourceNode: string | null;
  replicaNode: string | null;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface ArrowPath {
  path: string;
  label: { x: number; y: number };
  /** Index of the channel in the input, or -1 for the proposed path. */
  index: number;
}

export interface TopologyLayout {
  width: number;
  height: number;
  sites: [Box, Box];
  nodes: Map<string, Box>;
  arrows: ArrowPath[];
  proposed: ArrowPath | null;
  /** Channels whose nodes are not in the diagram: they are listed as text. */
  unplaced: number[];
}

function siteBox(side: 0 | 1, rows: number): Box {
  const x = side === 0 ? 6 : DIAGRAM_WIDTH - 6 - SITE_WIDTH;
  const height = NODE_TOP - SITE_TOP + rows * (NODE_HEIGHT + NODE_GAP) + FOOTER;
  return { x, y: SITE_TOP, width: SITE_WIDTH, height };
}

function nodeBox(site: Box, row: number): Box {
  return {
    x: site.x + NODE_INSET,
    y: NODE_TOP + row * (NODE_HEIGHT + NODE_GAP),
    width: SITE_WIDTH - 2 * NODE_INSET,
    height: NODE_HEIGHT,
  };
}

/** The point at the inner edge of a node's box, on a lane above or below its middle. */
function anchor(box: Box, lane: number): { x: number; y: number } {
  const left = box.x < DIAGRAM_WIDTH / 2;
  return {
    x: left ? box.x + box.width + ARROW_GAP : box.x - ARROW_GAP,
    y: box.y + box.height / 2 + lane,
  };
}

function arrowBetween(from: Box, to: Box, lane: number, index: number): ArrowPath {
  const a = anchor(from, lane);
  const b = anchor(to, lane);
  const bend = (a.x + b.x) / 2;
  const path =
    a.y === b.y
      ? `M${a.x} ${a.y}H${b.x}`
      : `M${a.x} ${a.y}C${bend} ${a.y} ${bend} ${b.y} ${b.x} ${b.y}`;
  return { path, index, label: { x: bend, y: (a.y + b.y) / 2 + Math.sign(lane) * 11 } };
}

/** Moves labels apart so that none covers another; their order from top to bottom stays. */
function spread(arrows: ArrowPath[]): void {
  const sorted = [...arrows].sort((a, b) => a.label.y - b.label.y);
  for (const [i, arrow] of sorted.entries()) {
    const above = sorted[i - 1];
    if (above) arrow.label.y = Math.max(arrow.label.y, above.label.y + LABEL_HEIGHT);
  }
}

/** Lanes separate the forward and the reverse arrow of a pair; stray channels are further out. */
function laneOf(channel: ChannelInput, index: number, channels: readonly ChannelInput[]): number {
  const twins = channels.slice(0, index).filter((c) => c.direction === channel.direction).length;
  return (channel.direction === "forward" ? -1 : 1) * (LANE + twins * 9);
}

/** Lays out a link. `proposed` is the pair of nodes that a plan would use. */
export function layoutLink(
  left: SiteInput,
  right: SiteInput,
  channels: readonly ChannelInput[],
  proposed: { sourceNode: string; replicaNode: string } | null,
): TopologyLayout {
  const rows = Math.max(left.nodes.length, right.nodes.length, 1);
  const sites: [Box, Box] = [siteBox(0, rows), siteBox(1, rows)];
  const nodes = new Map<string, Box>();
  for (const [side, cluster] of [left, right].entries()) {
    const site = sites[side === 0 ? 0 : 1];
    for (const [row, node] of cluster.nodes.entries()) nodes.set(node.id, nodeBox(site, row));
  }
  const arrows: ArrowPath[] = [];
  const unplaced: number[] = [];
  for (const [index, channel] of channels.entries()) {
    const from = channel.sourceNode === null ? undefined : nodes.get(channel.sourceNode);
    const to = channel.replicaNode === null ? undefined : nodes.get(channel.replicaNode);
    if (from && to) arrows.push(arrowBetween(from, to, laneOf(channel, index, channels), index));
    else unplaced.push(index);
  }
  const path = proposedArrow(nodes, proposed);
  spread(path ? [...arrows, path] : arrows);
  const labels = (path ? [...arrows, path] : arrows).map((arrow) => arrow.label.y);
  const height = Math.max(sites[0].y + sites[0].height, ...labels.map((y) => y + 12)) + SITE_TOP;
  return { width: DIAGRAM_WIDTH, height, sites, nodes, arrows, proposed: path, unplaced };
}

function proposedArrow(
  nodes: Map<string, Box>,
  proposed: { sourceNode: string; replicaNode: string } | null,
): ArrowPath | null {
  const from = proposed ? nodes.get(proposed.sourceNode) : undefined;
  const to = proposed ? nodes.get(proposed.replicaNode) : undefined;
  if (!from || !to) return null;
  const arrow = arrowBetween(from, to, 0, -1);
  const lower = Math.max(from.y, to.y) + NODE_HEIGHT / 2;
  // Below its lower end, since the labels of the current channels are at the middle of the curve.
  return { ...arrow, label: { x: arrow.label.x, y: lower + 20 } };
}
