import type { Node } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { nodeStatus } from "@/domain/node-status";
import { serverNow } from "@/lib/server-clock";
import { StatusChip } from "@/ui/StatusChip";
import type { Side } from "./sides";
import type { Sign } from "./signs";
import css from "./TopologyText.module.css";

type NodeAge = (node: Node) => number | null;

function SiteText({ side, nodeAge }: { side: Side; nodeAge: NodeAge }) {
  const { cluster, role, status, up, fence, seqno } = side;
  return (
    <section aria-label={`${cluster.name}, ${role}`}>
      <p className="strong">
        {cluster.name} · {role}
      </p>
      <p className="dim">
        {status.word} {up} · {seqno} · {fence.words}
      </p>
      <ul>
        {cluster.nodes.map((node) => {
          const { tone, line } = nodeStatus(node, nodeAge(node), serverNow());
          return (
            <li key={node.id} className={css.row}>
              <StatusChip tone={tone}>
                <AppLink to="/clusters" search={{ node: node.id }}>
                  {node.name}
                </AppLink>
              </StatusChip>
              <span className="dim">{line}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const SignText = ({ sign: { tone, head, details, between, error } }: { sign: Sign }) => (
  <li className={css.row}>
    <StatusChip tone={tone}>{head}</StatusChip>
    <span className="dim">
      {[...details, ...(between ? [between] : []), ...(error ? [error] : [])].join(" · ")}
    </span>
  </li>
);

interface TopologyTextProps {
  sides: readonly Side[];
  signs: readonly Sign[];
  nodeAge: NodeAge;
}

/** The same facts as the picture, in words: both sites with their nodes, and each channel. */
export function TopologyText({ sides, signs, nodeAge }: TopologyTextProps) {
  return (
    <div className={css.text}>
      {sides.map((side) => (
        <SiteText key={side.cluster.id} side={side} nodeAge={nodeAge} />
      ))}
      <section aria-label="Channels">
        <p className="strong">Channels</p>
        <ul>
          {signs.map((sign) => (
            <SignText key={sign.key} sign={sign} />
          ))}
        </ul>
      </section>
    </div>
  );
}
