import type { Cluster, ReplacedNode } from "@/api/types";
import { ChangeDialog } from "@/components/ChangeDialog";
import { useRefusal } from "@/components/use-refusal";
import { actionColumn, type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { ConfirmServerForm } from "./ConfirmServerForm";

function Server({ uuid, id }: { uuid: string; id: number }) {
  return (
    <>
      server_id {id}
      <div className="faint mono">{uuid || "server UUID unknown"}</div>
    </>
  );
}

const columnsFor = (cluster: Cluster, refusal: string | null): readonly Column<ReplacedNode>[] => [
  nameColumn("Node", (node) => node.name, { nowrap: true }),
  column("Recorded", (node) => <Server uuid={node.recorded_server} id={node.recorded_server_id} />),
  column("Observed", (node) => <Server uuid={node.observed_server} id={node.observed_server_id} />),
  actionColumn(
    "Actions",
    (node) => (
      <ChangeDialog
        label="Confirm replacement"
        subject={`of ${node.name}`}
        title={`Confirm replacement of ${node.name}`}
        disabledReason={refusal}
      >
        {(close) => <ConfirmServerForm cluster={cluster} node={node} close={close} />}
      </ChangeDialog>
    ),
    { align: "right" },
  ),
];

/** Nodes at whose address another server responds than the recorded one. */
export function ReplacedNodes(props: { cluster: Cluster; nodes: readonly ReplacedNode[] }) {
  const { cluster, nodes } = props;
  const refusal = useRefusal("run");
  if (nodes.length === 0) return null;
  return (
    <>
      <p className="strong">Another server responds at the address of these nodes.</p>
      <DataTable
        caption={`Replaced servers of ${cluster.name}`}
        columns={columnsFor(cluster, refusal)}
        rows={nodes}
        rowKey={(node) => node.id}
        empty=""
      />
    </>
  );
}
