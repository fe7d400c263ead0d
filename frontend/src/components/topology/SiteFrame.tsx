import type { Node } from "@/api/types";
import { nodeFence } from "@/domain/fencing";
import { textWidth } from "@/lib/text-width";
import { FittedText } from "./FittedText";
import { type Box, type TopologyLayout, WIDTH } from "./layout";
import type { Role, Side } from "./sides";
import css from "./TopologyDiagram.module.css";

const BAR_WIDTH = 8;
const INSET = 18;
const NAME = 28;
const WORD = 21;

/** A bar beside each node that is fenced, on the side of the applications; dashed where that is unknown. */
function FenceBar(props: { nodes: readonly Node[]; site: Box; picture: TopologyLayout }) {
  const { nodes, site, picture } = props;
  const x = site.x < WIDTH / 2 ? site.x + 5 : site.x + site.width - 5 - BAR_WIDTH;
  return nodes.map((node) => {
    const box = picture.nodes.get(node.id);
    const fence = nodeFence(node.read_only);
    if (!box || fence === "open") return null;
    return (
      <rect
        key={node.id}
        className={fence === "fenced" ? css.fenceBar : css.fenceBarUnknown}
        x={x}
        y={box.y}
        width={BAR_WIDTH}
        height={box.height}
      >
        <title>{`${node.name}: ${fence === "fenced" ? "fenced (read_only=ON)" : "fence unknown"}`}</title>
      </rect>
    );
  });
}

const ROLE_CSS: Record<Role, string | undefined> = {
  active: css.isActive,
  standby: css.isStandby,
  invalidated: css.isInvalidated,
};

/** The role as a plate in the corner of the site. Answers how much room it leaves. */
function RolePlate({ role, right, y }: { role: Role; right: number; y: number }) {
  const width = roleWidth(role);
  return (
    <g className={ROLE_CSS[role]}>
      <rect x={right - width} y={y} width={width} height={32} rx={16} />
      <text fontSize={WORD} x={right - width / 2} y={y + 23} textAnchor="middle">
        {role}
      </text>
    </g>
  );
}

const roleWidth = (role: Role) => textWidth(role, WORD) + 22;

interface SiteFrameProps {
  side: Side;
  box: Box;
  picture: TopologyLayout;
}

/** One site: its name, its role, its fence and its last committed seqno. */
export function SiteFrame({ side, box, picture }: SiteFrameProps) {
  const { cluster, role, status, up, fence, seqno } = side;
  const [left, right] = [box.x + INSET, box.x + box.width - INSET];
  const room = right - left;
  const upWidth = textWidth(up, WORD);
  const bottom = box.y + box.height;
  return (
    <g>
      <rect
        className={`${css.site} ${role === "invalidated" ? css.invalidated : ""}`}
        x={box.x}
        y={box.y}
        width={box.width}
        height={box.height}
        rx={12}
      />
      <FittedText
        className={css.siteName}
        x={left}
        y={box.y + 36}
        size={NAME}
        room={room - roleWidth(role) - 10}
      >
        {cluster.name}
      </FittedText>
      <RolePlate role={role} right={right} y={box.y + 11} />
      <g className={css[status.tone]}>
        <FittedText
          className={css.word}
          x={left}
          y={box.y + 68}
          size={WORD}
          room={room - upWidth - 10}
        >
          {status.word}
        </FittedText>
        <text className={css.word} fontSize={WORD} x={right} y={box.y + 68} textAnchor="end">
          {up}
        </text>
      </g>
      <FenceBar nodes={cluster.nodes} site={box} picture={picture} />
      <g className={css[fence.tone]}>
        <FittedText className={css.word} x={left} y={bottom - 38} size={WORD} room={room}>
          {fence.words}
        </FittedText>
      </g>
      <FittedText className={css.sub} x={left} y={bottom - 13} size={17} room={room}>
        {seqno}
      </FittedText>
    </g>
  );
}
