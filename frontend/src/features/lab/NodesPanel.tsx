import type { LabNode } from "@/api/types";
import { type Column, DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import type { Tone } from "@/ui/StatusIcon";
import { NodeActions } from "./NodeActions";
import { SiteActions } from "./SiteActions";

const STATE: Record<LabNode["state"], Tone> = { running: "ok", frozen: "warn", stopped: "bad" };

const COLUMNS: readonly Column<LabNode>[] = [
  { key: "node", header: "Node", nowrap: true, isRowHeader: true, cell: (node) => node.name },
  {
    key: "state",
    header: "Process",
    cell: (node) => <StatusChip tone={STATE[node.state]}>{node.state}</StatusChip>,
  },
  { key: "wsrep", header: "Galera state", cell: (node) => node.wsrep_state ?? "not responding" },
  {
    key: "actions",
    header: <span className="sr-only">Actions</span>,
    cell: (node) => <NodeActions node={node} />,
  },
];

function Site({ nodes }: { nodes: LabNode[] }) {
  const { site, cluster } = nodes[0] ?? { site: "", cluster: "" };
  return (
    <div className="stack">
      <SiteActions site={site} cluster={cluster} nodes={nodes} />
      <DataTable
        caption={`Nodes of ${cluster}`}
        columns={COLUMNS}
        rows={nodes}
        rowKey={(node) => node.name}
        empty="No nodes."
      />
    </div>
  );
}

/** The lab's nodes by site, each with the failures that can be caused. */
export function NodesPanel({ nodes }: { nodes: LabNode[] }) {
  const sites = [...new Set(nodes.map((node) => node.site))];
  return (
    <Panel title="Nodes" aside="Kill ends the process; Freeze suspends it">
      <div className="stack">
        {sites.map((site) => (
          <Site key={site} nodes={nodes.filter((node) => node.site === site)} />
        ))}
      </div>
    </Panel>
  );
}
