import { useId } from "react";
import type { Tone } from "@/ui/StatusIcon";
import { FittedText } from "./FittedText";
import { type Box, LINE_HEIGHT, type SignLayout, WIDTH } from "./layout";
import { DETAIL_SIZE, HEAD_SIZE, type Sign, TEXT_WIDTH } from "./signs";
import { ToneShape } from "./ToneShape";
import css from "./TopologyDiagram.module.css";

const TONES = ["ok", "info", "warn", "bad", "unknown", "neutral"] as const;
const POINT = 18;

/** The arrow heads, one for each tone. */
function ArrowHeads({ id }: { id: string }) {
  return (
    <defs>
      {TONES.map((tone) => (
        <marker
          key={tone}
          id={`${id}-${tone}`}
          className={css[tone]}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="4.4"
          markerHeight="4.4"
          orient="auto-start-reverse"
        >
          <path d="M0 0L8 4L0 8z" fill="currentColor" stroke="none" />
        </marker>
      ))}
    </defs>
  );
}

type Towards = "left" | "right" | "both" | "none";

/** The outline of a sign: it points where its channel replicates to. */
function outline({ x, y, width, height }: Box, towards: Towards): string {
  const [right, bottom, middle] = [x + width, y + height, y + height / 2];
  const isRight = towards === "right" || towards === "both";
  const isLeft = towards === "left" || towards === "both";
  const end = isRight
    ? `H${right - POINT}L${right} ${middle}L${right - POINT} ${bottom}`
    : `H${right}V${bottom}`;
  return isLeft
    ? `M${x + POINT} ${y}${end}H${x + POINT}L${x} ${middle}z`
    : `M${x} ${y}${end}H${x}z`;
}

function SignPlate({ sign, box, towards }: { sign: Sign; box: Box; towards: Towards }) {
  const centre = WIDTH / 2;
  const first = box.y + LINE_HEIGHT + 4;
  return (
    <g className={css.sign} data-sign={sign.key}>
      <path d={outline(box, towards)} className={`${css.plate} ${css[sign.kind]}`} />
      <ToneShape tone={sign.tone} x={box.x + 32} y={first - 8} />
      <FittedText
        x={centre + 12}
        y={first}
        size={HEAD_SIZE}
        room={TEXT_WIDTH - 24}
        textAnchor="middle"
        className={css.signHead}
      >
        {sign.head}
      </FittedText>
      {sign.details.map((detail, index) => (
        <FittedText
          key={detail}
          x={centre}
          y={first + (index + 1) * LINE_HEIGHT}
          size={DETAIL_SIZE}
          room={TEXT_WIDTH}
          textAnchor="middle"
          className={css.signDetail}
        >
          {detail}
        </FittedText>
      ))}
    </g>
  );
}

interface SignsProps {
  signs: readonly Sign[];
  layouts: readonly SignLayout[];
  /** Where forward leads to. */
  forward: "left" | "right";
}

/** The channels as signs with their lines, and what else stands between the sites. */
export function Signs({ signs, layouts, forward }: SignsProps) {
  const id = useId();
  const marker = (tone: Tone) => `url(#${id}-${tone})`;
  const backward = forward === "left" ? "right" : "left";
  const drawn = signs.flatMap((sign, index) => {
    const layout = layouts[index];
    return layout ? [{ sign, layout }] : [];
  });
  const towards = ({ kind, direction }: Sign): Towards => {
    if (direction) return direction === "forward" ? forward : backward;
    return kind === "proposed" ? "both" : "none";
  };
  return (
    <>
      <ArrowHeads id={id} />
      {drawn.map(({ sign: { key, tone, kind }, layout: { tail, head } }) => (
        <g key={key} className={`${css.line} ${css[tone]} ${css[`${kind}Line`] ?? ""}`}>
          {tail && (
            <path data-line d={tail} markerStart={kind === "proposed" ? marker(tone) : undefined} />
          )}
          {head && <path data-line d={head} markerEnd={marker(tone)} />}
        </g>
      ))}
      {drawn.map(({ sign, layout }) => (
        <g key={sign.key} className={css[sign.tone]}>
          <SignPlate sign={sign} box={layout.box} towards={towards(sign)} />
        </g>
      ))}
    </>
  );
}
