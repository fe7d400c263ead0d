import type { Cluster, Node } from "@/api/types";
import { nodeStatus } from "@/domain/node-status";
import { serverNow } from "@/lib/server-clock";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";

/** A node's write fence as it stands: shown as known, or as not known. */
const fenceWord = (node: Node): string =>
  node.read_only === null
    ? "read_only not known"
    : node.read_only
      ? "read_only ON"
      : "read_only OFF";

/** What becomes of each node of a side. */
export function NodeChangesTable(props: {
  cluster: Cluster;
  title: string;
  aside: string;
  becomes: (node: Node) => string;
}) {
  const { cluster, title, aside, becomes } = props;
  return (
    <Panel title={title} aside={aside}>
      <table className="grid">
        <thead>
          <tr>
            <th>Node</th>
            <th>Now</th>
            <th>Becomes</th>
          </tr>
        </thead>
        <tbody>
          {cluster.nodes.map((node) => {
            const status = nodeStatus(node, node.age_s, serverNow());
            return (
              <tr key={node.id}>
                <td className="strong nowrap">{node.name}</td>
                <td>
                  <StatusChip tone={status.tone}>{status.word}</StatusChip>{" "}
                  <code className="dim">{fenceWord(node)}</code>
                </td>
                <td>{becomes(node)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Panel>
  );
}
