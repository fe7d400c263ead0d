import { Button } from "@mantine/core";
import type { Destination } from "@/api/types";
import type { Column } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import { LastDelivery } from "../LastDelivery";
import { destinationTrigger, serviceLabel } from "./destination-text";
import { TestDestinationButton } from "./TestDestinationButton";

export const protocolOf = ({ service }: Destination) => (service === "email" ? "SMTP" : "HTTP");

/** The columns of the table of destinations; those who may configure can send tests. */
export function destinationColumns(
  current: string | undefined,
  open: (id: string) => void,
  canConfigure: boolean,
): readonly Column<Destination>[] {
  const columns: Column<Destination>[] = [
    {
      key: "name",
      header: "Destination",
      isRowHeader: true,
      cell: (one) => (
        <>
          <Button
            variant="subtle"
            size="compact-sm"
            px={0}
            aria-expanded={one.id === current}
            onClick={() => open(one.id)}
          >
            {one.name}
          </Button>
          <div className="dim">
            {serviceLabel(one.service)}: {one.target}
          </div>
        </>
      ),
    },
    {
      key: "trigger",
      header: "Events",
      cell: (one) => (
        <>
          {one.link_name ?? "all links"}
          <div className="dim">{destinationTrigger(one)}</div>
        </>
      ),
    },
    {
      key: "state",
      header: "State",
      nowrap: true,
      cell: (one) => (
        <StatusChip tone={one.enabled ? "ok" : "neutral"}>
          {one.enabled ? "enabled" : "disabled"}
        </StatusChip>
      ),
    },
    {
      key: "last",
      header: "Last delivery",
      cell: (one) => <LastDelivery delivery={one.last_delivery} protocol={protocolOf(one)} />,
    },
  ];
  if (!canConfigure) return columns;
  return [
    ...columns,
    {
      key: "test",
      header: <span className="sr-only">Test</span>,
      align: "right",
      cell: (one) => <TestDestinationButton destination={one} />,
    },
  ];
}
