import { Button } from "@mantine/core";
import { useState } from "react";
import { useAbortIncident } from "@/api/resources/incidents";
import type { Incident } from "@/api/types";
import { CommentForm } from "@/components/CommentForm";
import { useCan } from "@/components/use-session";
import { Panel } from "@/ui/Panel";

/** Nothing more is started; what has started is aborted on the pages of its runs. */
export function AbortPanel({ incident }: { incident: Incident }) {
  const mayAbort = useCan("abort");
  const aborting = useAbortIncident(incident.id);
  const [isAsking, setAsking] = useState(false);
  if (!mayAbort || incident.state === "ended" || incident.state === "aborted") return null;
  return (
    <Panel title="Abort">
      <p className="dim">
        Nothing more is started. Runs of which nothing was sent end. Runs that have started end by
        their own rules; abort them on their pages.
      </p>
      {isAsking ? (
        <CommentForm
          submitLabel="Abort incident"
          color="red.8"
          isPending={aborting.isPending}
          action="abort the incident"
          onSubmit={(comment) => aborting.mutateAsync(comment)}
        >
          <Button variant="default" onClick={() => setAsking(false)}>
            Keep it
          </Button>
        </CommentForm>
      ) : (
        <Button variant="default" mt={8} onClick={() => setAsking(true)}>
          Abort incident…
        </Button>
      )}
    </Panel>
  );
}
