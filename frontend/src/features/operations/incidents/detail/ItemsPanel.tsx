import { useQueryClient } from "@tanstack/react-query";
import { incidentQuery, useOrderIncident } from "@/api/resources/incidents";
import type { Incident } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useCan } from "@/components/use-session";
import { includedLinks } from "@/domain/incidents";
import { DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { itemColumns } from "./item-columns";
import { OrderButtons } from "./OrderButtons";

/** Every link in the order of its start, with its operation, its loss and what became of it. */
export function ItemsPanel({ incident }: { incident: Incident }) {
  const mayPlan = useCan("plan");
  const client = useQueryClient();
  const ordering = useOrderIncident(incident.id);
  const isMovable = mayPlan && incident.state === "planned";
  const set = async (links: string[]) => {
    const changed = await ordering.mutateAsync({ links });
    client.setQueryData(incidentQuery(incident.id).queryKey, changed);
  };
  const order = includedLinks(incident);
  const columns = itemColumns(order, (item) =>
    isMovable ? (
      <OrderButtons incident={incident} item={item} isPending={ordering.isPending} set={set} />
    ) : null,
  );
  return (
    <Panel title="Links" aside="in the order of their start">
      {ordering.isError && <ProblemAlert error={ordering.error} action="change the order" />}
      <DataTable
        caption="Links of the incident"
        columns={columns}
        rows={incident.items}
        rowKey={(item) => item.link_id}
        empty="No link is touched."
      />
    </Panel>
  );
}
