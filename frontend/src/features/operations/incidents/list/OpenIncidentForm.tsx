import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { clustersQuery } from "@/api/resources/clusters";
import { touchedLinksQuery, useOpenIncident } from "@/api/resources/incidents";
import type { TouchedLink, TouchedScope } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { QueryBoundary } from "@/components/QueryBoundary";
import { pluralize } from "@/lib/format/number";
import { randomId } from "@/lib/random-id";
import { Panel } from "@/ui/Panel";
import { scopeOf, scopeOptions } from "./scope-options";
import { TouchedLinks } from "./TouchedLinks";

/** Opens the incident and its page. One key for each scope: pressing the button twice opens one. */
function useOpening(scope: TouchedScope) {
  const navigate = useNavigate();
  const [idempotencyKey] = useState(randomId);
  const opening = useOpenIncident();
  const open = async () => {
    const incident = await opening.mutateAsync({ ...scope, idempotencyKey });
    await navigate({ to: "/incidents/$incidentId", params: { incidentId: incident.id } });
  };
  return { open, opening };
}

/** What an incident over this scope would hold, and the button that opens it. */
function Preview({ scope }: { scope: TouchedScope }) {
  const query = useQuery(touchedLinksQuery(scope));
  const { open, opening } = useOpening(scope);
  return (
    <QueryBoundary<{ results: TouchedLink[] }> query={query} label="the touched links">
      {({ results }) => (
        <div className="stack">
          <TouchedLinks links={results} />
          {opening.isError && <ProblemAlert error={opening.error} action="open the incident" />}
          <div>
            <DisabledReasonButton
              disabledReason={results.length === 0 ? "No link is touched." : null}
              loading={opening.isPending}
              onClick={() => void open().catch(() => undefined)}
            >
              Open incident over {pluralize(results.length, "link")}
            </DisabledReasonButton>
          </div>
        </div>
      )}
    </QueryBoundary>
  );
}

/** Choose what is lost, see the touched links, open the incident. Nothing is sent to a server. */
export function OpenIncidentForm() {
  const { site } = useSearch({ from: "/shell/incidents" });
  const clusters = useQuery(clustersQuery());
  const [chosen, setChosen] = useState<string | null>(site ? `site ${site}` : null);
  const scope = scopeOf(chosen);
  return (
    <Panel title="Open an incident" aside="plans every touched link; nothing is changed">
      <div className="stack attest">
        <Select
          label="What is lost"
          description="A site as it is registered with its clusters, or a node with all others on its host"
          placeholder="Choose a site or a node"
          searchable
          data={scopeOptions(clusters.data?.results ?? [], site)}
          value={chosen}
          onChange={setChosen}
        />
      </div>
      {scope && (
        <div className="note">
          <Preview key={chosen} scope={scope} />
        </div>
      )}
    </Panel>
  );
}
