import { useNavigate } from "@tanstack/react-router";
import type { Node } from "@/api/types";
import { nodeStatus } from "@/domain/node-status";
import { serverNow } from "@/lib/server-clock";
import { textWidth } from "@/lib/text-width";
import { FittedText, SMALLEST } from "./FittedText";
import type { Box } from "./layout";
import { ToneShape } from "./ToneShape";
import css from "./TopologyDiagram.module.css";

const NAME = 26;
const STATE = 19;
const TEXT_AT = 36;
const MARGIN = 12;

interface NodeTextProps {
  name: string;
  line: string;
  word: string;
  box: Box;
}

/** The facts of a line that fit, the first ones first; the text version has them all. */
function fittingFacts(line: string, room: number): string {
  const facts = line.split(" · ");
  const fits = (count: number) =>
    textWidth(facts.slice(0, count).join(" · "), STATE * SMALLEST) <= room;
  const count = facts.findLastIndex((_, index) => fits(index + 1)) + 1;
  return facts.slice(0, Math.max(count, 1)).join(" · ");
}

/** The name above the state. */
function TwoLines({ name, line, box }: NodeTextProps) {
  const room = box.width - TEXT_AT - MARGIN;
  return (
    <>
      <FittedText className={css.name} x={box.x + TEXT_AT} y={box.y + 30} size={NAME} room={room}>
        {name}
      </FittedText>
      <FittedText
        className={css.state}
        x={box.x + 18}
        y={box.y + 55}
        size={STATE}
        room={box.width - 30}
      >
        {fittingFacts(line, box.width - 30)}
      </FittedText>
    </>
  );
}

/** The name before the state, which is not cut. */
function OneLine({ name, word, box }: NodeTextProps) {
  const stateRoom = Math.min(textWidth(word, STATE), box.width * 0.55);
  const end = box.x + box.width - MARGIN;
  return (
    <>
      <FittedText
        className={css.name}
        x={box.x + TEXT_AT}
        y={box.y + 30}
        size={NAME}
        room={end - stateRoom - MARGIN - box.x - TEXT_AT}
      >
        {name}
      </FittedText>
      <FittedText
        className={css.state}
        x={end}
        y={box.y + 29}
        size={STATE}
        room={stateRoom}
        textAnchor="end"
      >
        {word}
      </FittedText>
    </>
  );
}

interface NodeBoxProps {
  node: Node;
  box: Box;
  ageS: number | null;
  isCompact: boolean;
}

/** One node with its status; it links to the node among its cluster. */
export function NodeBox({ node, box, ageS, isCompact }: NodeBoxProps) {
  const navigate = useNavigate();
  const { tone, word, line } = nodeStatus(node, ageS, serverNow());
  const Text = isCompact ? OneLine : TwoLines;
  // The binary log is left to the text version: from afar the state counts.
  const short = line.replace(/ · binlog \S+/, "");
  return (
    <g className={`${css.node} ${css[tone]}`}>
      <a
        href={`/clusters?node=${node.id}`}
        aria-label={`${node.name}: ${line}`}
        onClick={(event) => {
          event.preventDefault();
          void navigate({ to: "/clusters", search: { node: node.id } });
        }}
      >
        <title>{`${node.name} · ${node.host}:${node.port}${node.error ? ` · ${node.error}` : ""}`}</title>
        <rect x={box.x} y={box.y} width={box.width} height={box.height} />
        <ToneShape tone={tone} x={box.x + 20} y={box.y + 22} />
        <Text name={node.name} line={short} word={word} box={box} />
      </a>
    </g>
  );
}
