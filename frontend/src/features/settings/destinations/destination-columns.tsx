import { Button } from "@mantine/core";
import { useTestDestination } from "@/api/resources/destinations";
import type { Destination } from "@/api/types";
import { actionColumn, type Column, column, nameColumn } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import { LastDelivery } from "../LastDelivery";
import { TestButton } from "../TestButton";
import { destinationTrigger, serviceLabel } from "./destination-text";

/** Has a worker send one test to the destination. */
function TestDestinationButton({ destination }: { destination: Destination }) {
  const test = useTestDestination(destination);
  return (
    <TestButton
      name={destination.name}
      test={test}
      queued={`Test to ${destination.name} queued.`}
    />
  );
}

export const protocolOf = ({ service }: Destination) => (service === "email" ? "SMTP" : "HTTP");

/** The columns of the table of destinations; those who may configure can send tests. */
export function destinationColumns(
  current: string | undefined,
  open: (id: string) => void,
  canConfigure: boolean,
): readonly Column<Destination>[] {
  const columns: Column<Destination>[] = [
    nameColumn("Destination", (one) => (
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
    )),
    column("Events", (one) => (
      <>
        {one.link_name ?? "all links"}
        <div className="dim">{destinationTrigger(one)}</div>
      </>
    )),
    column(
      "State",
      (one) => (
        <StatusChip tone={one.enabled ? "ok" : "neutral"}>
          {one.enabled ? "enabled" : "disabled"}
        </StatusChip>
      ),
      { nowrap: true },
    ),
    column("Last delivery", (one) => (
      <LastDelivery delivery={one.last_delivery} protocol={protocolOf(one)} />
    )),
  ];
  if (!canConfigure) return columns;
  return [
    ...columns,
    actionColumn("Test", (one) => <TestDestinationButton destination={one} />, { align: "right" }),
  ];
}
