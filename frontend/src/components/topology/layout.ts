/**
 * The geometry of the topology diagram. Two sites stand side by side, their nodes in rows; between
 * them is a column of signs, one for each channel. A channel's line runs from its source to its
 * sign and on to its replica: lines stay in the gutters beside the column, and texts outside of
 * them, so no line can cross a text.
 */

export const WIDTH = 1060;
export const SITE_WIDTH = 310;
export const SIGN_WIDTH = 300;
const MARGIN = 6;
const HEAD = 86;
const FOOT = 66;
const INSET = 18;
const SIGN_GAP = 14;
const SIGN_PADDING = 20;
export const LINE_HEIGHT = 29;
/** Between a box and the end of a line. */
const CLEARANCE = 4;
const LANE = 16;

/** Taller sites have a node in one line, so that both fit on a screen. */
const MOST_TALL_ROWS = 5;
const TALL = { height: 66, gap: 10 };
const SHORT = { height: 44, gap: 7 };

export interface SiteInput {
  nodes: readonly { id: string }[];
}

/** What is told between the sites: a channel, one that is missing, or what separates them. */
export interface SignInput {
  /** The nodes of a channel; null where it has none, or none that is known. */
  from: string | null;
  to: string | null;
  lines: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface SignLayout {
  box: Box;
  /** From the source to the sign, and from the sign to the replica. */
  tail: string | null;
  head: string | null;
}

export interface TopologyLayout {
  width: number;
  height: number;
  sites: [Box, Box];
  nodes: Map<string, Box>;
  isCompact: boolean;
  signs: SignLayout[];
}

interface Placed extends SignInput {
  y: number;
  height: number;
}

const middle = ({ y, height }: { y: number; height: number }) => y + height / 2;

function placeNodes(sites: readonly SiteInput[], row: typeof TALL): Map<string, Box> {
  return new Map(
    sites.flatMap(({ nodes }, side) =>
      nodes.map(({ id }, index): [string, Box] => [
        id,
        {
          x: (side === 0 ? MARGIN : WIDTH - MARGIN - SITE_WIDTH) + INSET,
          y: MARGIN + HEAD + index * (row.height + row.gap),
          width: SITE_WIDTH - 2 * INSET,
          height: row.height,
        },
      ]),
    ),
  );
}

const ends = ({ from, to }: SignInput, nodes: Map<string, Box>): Box[] =>
  [from, to].flatMap((id) => (id === null ? [] : (nodes.get(id) ?? [])));

/** Stacks the signs without overlap, each as near as it can be to the nodes that it stands for. */
function placeSigns(
  inputs: readonly SignInput[],
  nodes: Map<string, Box>,
  bottom: number,
): Placed[] {
  const centre = (MARGIN + bottom) / 2;
  const signs = inputs.map((input) => {
    const boxes = ends(input, nodes);
    const wanted = boxes.reduce((sum, box) => sum + middle(box) / boxes.length, 0) || centre;
    const height = input.lines * LINE_HEIGHT + SIGN_PADDING;
    return { ...input, height, y: wanted - height / 2 };
  });
  const order = signs.toSorted((a, b) => middle(a) - middle(b));
  let top = MARGIN;
  for (const sign of order) {
    sign.y = Math.max(sign.y, top);
    top = sign.y + sign.height + SIGN_GAP;
  }
  let limit = Math.max(bottom, heightOf(order) + MARGIN);
  for (const sign of order.reverse()) {
    sign.y = Math.min(sign.y, limit - sign.height);
    limit = sign.y - SIGN_GAP;
  }
  return signs;
}

const heightOf = (signs: readonly Placed[]) =>
  signs.reduce((sum, { height }) => sum + height + SIGN_GAP, -SIGN_GAP);

/** Lines that end at one node are spread along its edge, in the order of their signs. */
function laneOf(node: string, index: number, signs: readonly Placed[], height: number): number {
  const here = signs
    .flatMap((sign, i) => (sign.from === node || sign.to === node ? [{ i, y: middle(sign) }] : []))
    .sort((a, b) => a.y - b.y);
  const step = Math.min(LANE, (height - 12) / here.length);
  return (here.findIndex(({ i }) => i === index) - (here.length - 1) / 2) * step;
}

/** A line between a node and a sign, drawn in the direction of replication. */
function line(node: Box, lane: number, sign: Placed, isTail: boolean): string {
  const isLeft = node.x < WIDTH / 2;
  const outer = isLeft ? node.x + node.width + CLEARANCE : node.x - CLEARANCE;
  const inner = (WIDTH + (isLeft ? -SIGN_WIDTH : SIGN_WIDTH)) / 2;
  const atNode = { x: outer, y: middle(node) + lane };
  const atSign = { x: inner, y: middle(sign) };
  const [a, b] = isTail ? [atNode, atSign] : [atSign, atNode];
  const bend = (a.x + b.x) / 2;
  return `M${a.x} ${a.y}C${bend} ${a.y} ${bend} ${b.y} ${b.x} ${b.y}`;
}

/** Lays out a link: the left and the right site, and the signs between them. */
export function layoutLink(
  left: SiteInput,
  right: SiteInput,
  inputs: readonly SignInput[],
): TopologyLayout {
  const rows = Math.max(left.nodes.length, right.nodes.length, 1);
  const isCompact = rows > MOST_TALL_ROWS;
  const row = isCompact ? SHORT : TALL;
  const nodes = placeNodes([left, right], row);
  const needed = MARGIN + HEAD + rows * (row.height + row.gap) + FOOT;
  const signs = placeSigns(inputs, nodes, needed);
  const bottom = Math.max(needed, ...signs.map(({ y, height }) => y + height));
  const site = (x: number): Box => ({ x, y: MARGIN, width: SITE_WIDTH, height: bottom - MARGIN });
  const lineTo = (id: string | null, index: number, sign: Placed, isTail: boolean) => {
    const node = id === null ? undefined : nodes.get(id);
    if (id === null || !node) return null;
    return line(node, laneOf(id, index, signs, node.height), sign, isTail);
  };
  return {
    width: WIDTH,
    height: bottom + MARGIN,
    sites: [site(MARGIN), site(WIDTH - MARGIN - SITE_WIDTH)],
    nodes,
    isCompact,
    signs: signs.map((sign, index) => ({
      box: { x: (WIDTH - SIGN_WIDTH) / 2, y: sign.y, width: SIGN_WIDTH, height: sign.height },
      tail: lineTo(sign.from, index, sign, true),
      head: lineTo(sign.to, index, sign, false),
    })),
  };
}
