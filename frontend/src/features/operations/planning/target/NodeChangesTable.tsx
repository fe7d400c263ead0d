import type { Cluster, Node } from "@/api/types";
import { nodeStatus } from "@/domain/node-status";
import { serverNow } from "@/lib/server-clock";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";

function fenceText({ read_only }: Node): string {
  if (read_only === null) return "read_only unknown";
  return read_only ? "read_only=ON" : "read_only=OFF";
}

function NodeNow({ node }: { node: Node }) {
  const status = nodeStatus(node, node.age_s, serverNow());
  return (
    <>
      <StatusChip tone={status.tone}>{status.word}</StatusChip>{" "}
      <code className="dim">{fenceText(node)}</code>
    </>
  );
}

/** The state of each node of a side before the operation, and after it. */
export function NodeChangesTable(props: {
  cluster: Cluster;
  title: string;
  aside: string;
  after: (node: Node) => string;
}) {
  const columns: Column<Node>[] = [
    nameColumn("Node", (node) => <span className="strong">{node.name}</span>, { nowrap: true }),
    column("Now", (node) => <NodeNow node={node} />),
    column("After", props.after),
  ];
  return (
    <Panel title={props.title} aside={props.aside}>
      <DataTable
        caption={`Nodes of ${props.cluster.name}`}
        columns={columns}
        rows={props.cluster.nodes}
        rowKey={(node) => node.id}
        empty="This cluster has no nodes."
      />
    </Panel>
  );
}
