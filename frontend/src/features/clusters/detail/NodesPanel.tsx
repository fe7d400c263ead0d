import type { Cluster, Node } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ChangeDialog } from "@/components/ChangeDialog";
import { useRefusal } from "@/components/use-refusal";
import { actionColumn, type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { NodeState } from "../NodeState";
import { AddNodeForm } from "./AddNodeForm";
import { EditNodeForm } from "./EditNodeForm";
import { RemoveNodeForm } from "./RemoveNodeForm";

const NEW_NODE = { name: "", host: "", port: 3306 };

interface ActionsProps {
  cluster: Cluster;
  node: Node;
  refusal: string | null;
}

function Actions({ cluster, node, refusal }: ActionsProps) {
  return (
    <div className="row end">
      <ChangeDialog
        label="Change"
        subject={node.name}
        title={`Change node ${node.name}`}
        disabledReason={refusal}
      >
        {(close) => <EditNodeForm cluster={cluster} node={node} close={close} />}
      </ChangeDialog>
      <ChangeDialog
        label="Remove"
        subject={node.name}
        title={`Remove node ${node.name}`}
        disabledReason={refusal}
      >
        {(close) => <RemoveNodeForm node={node} version={cluster.version} close={close} />}
      </ChangeDialog>
    </div>
  );
}

const factColumns = (readAt: number): Column<Node>[] => [
  nameColumn(
    "Node",
    (node) => (
      <AppLink to="/clusters" search={{ node: node.id }} className="strong">
        {node.name}
      </AppLink>
    ),
    { nowrap: true },
  ),
  column("Address", (node) => `${node.host}:${node.port}`, { mono: true }),
  column("State", (node) => <NodeState node={node} readAt={readAt} />),
  column("Can hold a channel", ({ eligibility }) =>
    eligibility.eligible ? (
      <StatusChip tone="ok">yes</StatusChip>
    ) : (
      <StatusChip tone="warn">{eligibility.reason?.message ?? "no"}</StatusChip>
    ),
  ),
];

/** The registered nodes of a cluster, with what can be changed of them. */
export function NodesPanel({ cluster, readAt }: { cluster: Cluster; readAt: number }) {
  const refusal = useRefusal("register");
  const isRetired = cluster.retired_at !== null;
  const actions: Column<Node> = actionColumn("Actions", (node) => (
    <Actions cluster={cluster} node={node} refusal={refusal} />
  ));
  return (
    <Panel
      title="Nodes"
      aside={
        !isRetired && (
          <ChangeDialog
            label="Add node"
            title={`Add a node to ${cluster.name}`}
            disabledReason={refusal}
          >
            {(close) => <AddNodeForm cluster={cluster} suggested={NEW_NODE} close={close} />}
          </ChangeDialog>
        )
      }
    >
      <DataTable
        caption={`Nodes of ${cluster.name}`}
        columns={isRetired ? factColumns(readAt) : [...factColumns(readAt), actions]}
        rows={cluster.nodes}
        rowKey={(node) => node.id}
        empty={
          isRetired
            ? "The nodes were deleted when the cluster was retired."
            : "No nodes are registered."
        }
      />
    </Panel>
  );
}
