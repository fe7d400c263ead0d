import { Button } from "@mantine/core";
import {
  destinationDeliveriesQuery,
  useDeleteDestination,
  useUpdateDestination,
} from "@/api/resources/destinations";
import type { Destination } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { useCan } from "@/components/use-session";
import { Panel } from "@/ui/Panel";
import { Deliveries } from "../webhooks/Deliveries";
import { DestinationForm } from "./DestinationForm";
import { protocolOf } from "./destination-columns";
import { updateRequest } from "./destination-text";

interface DetailProps {
  destination: Destination;
  onClose: () => void;
}

function DeleteDestination({ destination, onClose }: DetailProps) {
  const deleting = useDeleteDestination(destination);
  return (
    <ConfirmAction
      label="Delete destination"
      title={`Delete destination ${destination.name}`}
      confirmLabel={`Delete ${destination.name}`}
      success={`Destination ${destination.name} deleted.`}
      action="delete the destination"
      onConfirm={async () => {
        await deleting.mutateAsync();
        onClose();
      }}
    >
      The destination and the list of its deliveries are deleted. It is not notified any more. This
      cannot be undone.
    </ConfirmAction>
  );
}

/** One destination: its deliveries and, for administrators, its settings. */
export function DestinationDetail({ destination, onClose }: DetailProps) {
  const canConfigure = useCan("configure");
  const update = useUpdateDestination(destination);
  return (
    <>
      <Panel
        title={`Deliveries of ${destination.name}`}
        aside={
          <Button size="compact-xs" variant="default" onClick={onClose}>
            Close
          </Button>
        }
      >
        <Deliveries
          name={destination.name}
          query={destinationDeliveriesQuery(destination.id)}
          protocol={protocolOf(destination)}
        />
      </Panel>
      {canConfigure && (
        <Panel
          title={`Settings of ${destination.name}`}
          aside={<DeleteDestination destination={destination} onClose={onClose} />}
        >
          <DestinationForm
            destination={destination}
            save={(values) => update.mutateAsync(updateRequest(values))}
            submitLabel={`Save ${destination.name}`}
            onDone={onClose}
          />
        </Panel>
      )}
    </>
  );
}
