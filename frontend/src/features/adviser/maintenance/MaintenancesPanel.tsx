import { useQuery } from "@tanstack/react-query";
import { nodeMaintenancesQuery } from "@/api/resources/node-maintenance";
import type { NodeMaintenance } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { OpenMaintenance } from "./OpenMaintenance";
import { RESULTS } from "./stages";

const COLUMNS: readonly Column<NodeMaintenance>[] = [
  nameColumn("Node", ({ node_name: name }) => name, { nowrap: true }),
  column(
    "Result",
    ({ result }) =>
      result && <StatusChip tone={RESULTS[result].tone}>{RESULTS[result].label}</StatusChip>,
  ),
  column("Left", ({ left_at: at }) => at && <Timestamp at={at} />, { nowrap: true }),
  column("Returned", ({ returned_at: at }) => at && <Timestamp at={at} />, { nowrap: true }),
  column("What it rests on", ({ sentence }) => sentence),
];

/** The open maintenance of a cluster with its progress, and how earlier ones ended. */
export function MaintenancesPanel({ clusterId }: { clusterId: string }) {
  const { data } = useQuery(nodeMaintenancesQuery(clusterId));
  const all = data?.results ?? [];
  const open = all.find(({ stage }) => stage !== "ended");
  const ended = all.filter(({ stage }) => stage === "ended");
  return (
    <>
      {open && <OpenMaintenance maintenance={open} />}
      {ended.length > 0 && (
        <Panel title="Earlier maintenances">
          <DataTable
            caption="Earlier maintenances of nodes"
            columns={COLUMNS}
            rows={ended}
            rowKey={({ id }) => id}
            empty="No maintenance has ended."
          />
        </Panel>
      )}
    </>
  );
}
