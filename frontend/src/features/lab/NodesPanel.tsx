import type { LabNode } from "@/api/types";
import { actionColumn, type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import type { Tone } from "@/ui/StatusIcon";
import { NodeActions } from "./NodeActions";
import { SiteActions } from "./SiteActions";

const STATE: Record<LabNode["state"], Tone> = { running: "ok", frozen: "warn", stopped: "bad" };

const COLUMNS: readonly Column<LabNode>[] = [
  nameColumn("Node", (node) => node.name, { nowrap: true }),
  column("Process", (node) => <StatusChip tone={STATE[node.state]}>{node.state}</StatusChip>),
  column("Galera state", (node) => node.wsrep_state ?? "not responding"),
  actionColumn("Actions", (node) => <NodeActions node={node} />),
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
