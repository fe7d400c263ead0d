import type { Node } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { formatNumber, formatPosition } from "@/lib/format/number";
import type { Column } from "@/ui/DataTable";
import { NodeAge } from "./NodeAge";
import { NodeState } from "./NodeState";

const nameColumn = (openNode: string | undefined): Column<Node> => ({
  key: "node",
  header: "Node",
  isRowHeader: true,
  cell: (node) => (
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
  ),
});

/** The columns of a cluster's nodes; the name of a node opens and closes its details. */
export const nodeColumns = (
  readAt: number,
  openNode: string | undefined,
): readonly Column<Node>[] => [
  nameColumn(openNode),
  { key: "state", header: "State", cell: (node) => <NodeState node={node} readAt={readAt} /> },
  {
    key: "version",
    header: "Version",
    cell: (node) => (
      <>
        {node.version ?? <span className="faint">unknown</span>}
        {node.watched_only && (
          <div className="faint">{node.is_accepted ? "not tried, accepted" : "watched only"}</div>
        )}
      </>
    ),
  },
  {
    key: "committed",
    header: "Last committed",
    align: "right",
    cell: (node) => (node.wsrep ? formatNumber(node.wsrep.last_committed) : "unknown"),
  },
  {
    key: "binlog",
    header: "Binlog position",
    mono: true,
    cell: (node) =>
      node.binlog ? formatPosition(node.binlog.file, node.binlog.position) : "unknown",
  },
  {
    key: "response",
    header: "Response time",
    align: "right",
    cell: (node) => (node.probe_ms === null ? "unknown" : `${node.probe_ms.toFixed(1)} ms`),
  },
  {
    key: "age",
    header: "Data age",
    align: "right",
    cell: (node) => <NodeAge node={node} readAt={readAt} />,
  },
];
