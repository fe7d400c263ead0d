import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { destinationsQuery, useCreateDestination } from "@/api/resources/destinations";
import type { Destination, Page } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { useCan } from "@/components/use-session";
import { DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { SettingsLayout } from "../console/SettingsLayout";
import { DestinationDetail } from "./DestinationDetail";
import { DestinationForm } from "./DestinationForm";
import { destinationColumns } from "./destination-columns";
import { createRequest } from "./destination-text";

/** Opens the form of a new destination. */
function AddDestination() {
  const [isAdding, setAdding] = useState(false);
  const create = useCreateDestination();
  if (!isAdding)
    return (
      <Button mt={12} variant="default" onClick={() => setAdding(true)}>
        Add destination…
      </Button>
    );
  return (
    <section aria-label="New destination" className="note">
      <DestinationForm
        destination={null}
        save={(values) => create.mutateAsync(createRequest(values))}
        submitLabel="Add destination"
        onDone={() => setAdding(false)}
      />
    </section>
  );
}

function Destinations({ destinations }: { destinations: readonly Destination[] }) {
  const [current, setCurrent] = useState<string>();
  const canConfigure = useCan("configure");
  const open = destinations.find((one) => one.id === current);
  return (
    <>
      <Panel title="Notified of events" aside="e-mail, chat and pagers">
        <DataTable
          caption="Destinations"
          columns={destinationColumns(current, setCurrent, canConfigure)}
          rows={destinations}
          rowKey={(one) => one.id}
          empty="No destinations. A destination is notified of events in the format of its service."
        />
        {canConfigure && <AddDestination />}
      </Panel>
      {open && (
        <DestinationDetail key={open.id} destination={open} onClose={() => setCurrent(undefined)} />
      )}
    </>
  );
}

/** The destinations of notifications: services that are notified of the events of one link or of all. */
export function DestinationsPage() {
  const query = useQuery(destinationsQuery());
  return (
    <SettingsLayout title="Destinations">
      {() => (
        <QueryBoundary<Page<Destination>> query={query} label="the destinations">
          {(page) => <Destinations destinations={page.results} />}
        </QueryBoundary>
      )}
    </SettingsLayout>
  );
}
