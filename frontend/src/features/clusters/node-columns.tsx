import type { Node } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { useDataAge } from "@/components/use-data-age";
import { formatNumber, formatPosition } from "@/lib/format/number";
import { formatAge } from "@/lib/format/time";
import { type Column, column, nameColumn, numberColumn } from "@/ui/DataTable";
import { Unknown } from "@/ui/Unknown";
import { NodeState } from "./NodeState";

/** How old the data of a node is. */
function NodeAge({ node, readAt }: { node: Node; readAt: number }) {
  const age = useDataAge(node.age_s, readAt);
  return <>{age === null ? "no data yet" : formatAge(age)}</>;
}

const openedByName = (openNode: string | undefined): Column<Node> =>
  nameColumn("Node", (node) => (
    <>
      <AppLink
        to="/clusters"
        search={{ node: node.id === openNode ? undefined : node.id }}
        aria-expanded={node.id === openNode}
        className="strong"
      >
        {node.name}
      </AppLink>
      <div className="faint mono">
        {node.host}:{node.port}
      </div>
    </>
  ));

/** The columns of a cluster's nodes; the name of a node opens and closes its details. */
export const nodeColumns = (
  readAt: number,
  openNode: string | undefined,
): readonly Column<Node>[] => [
  openedByName(openNode),
  column("State", (node) => <NodeState node={node} readAt={readAt} />),
  column("Version", (node) => (
    <>
      {node.version ?? <Unknown />}
      {node.watched_only && (
        <div className="faint">{node.is_accepted ? "not tried, accepted" : "watched only"}</div>
      )}
    </>
  )),
  numberColumn("Last committed", (node) =>
    node.wsrep ? formatNumber(node.wsrep.last_committed) : "unknown",
  ),
  column(
    "Binlog position",
    (node) => (node.binlog ? formatPosition(node.binlog.file, node.binlog.position) : "unknown"),
    { mono: true },
  ),
  numberColumn("Response time", (node) =>
    node.probe_ms === null ? "unknown" : `${node.probe_ms.toFixed(1)} ms`,
  ),
  numberColumn("Data age", (node) => <NodeAge node={node} readAt={readAt} />),
];
