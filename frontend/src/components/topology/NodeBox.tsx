import { useNavigate } from "@tanstack/react-router";
import type { Node } from "@/api/types";
import { nodeStatus } from "@/domain/node-status";
import { serverNow } from "@/lib/server-clock";
import type { Tone } from "@/ui/StatusIcon";
import type { Box } from "./layout";
import css from "./TopologyDiagram.module.css";

const SHAPE: Record<Tone, string> = {
  ok: "M0 -4.6a4.6 4.6 0 1 0 .01 0z",
  info: "M-3 -4.4 4.4 0 -3 4.4z",
  warn: "M0 -5 5.4 4.6H-5.4z",
  bad: "M-2.8 -4.9h5.6L5.6 0 2.8 4.9h-5.6L-5.6 0z",
  unknown: "M0 -4a4 4 0 1 0 .01 0z",
  neutral: "M-4 -1h8v2h-8z",
};

/** One node with its status; it links to the node among its cluster. */
export function NodeBox({ node, box, ageS }: { node: Node; box: Box; ageS: number | null }) {
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
