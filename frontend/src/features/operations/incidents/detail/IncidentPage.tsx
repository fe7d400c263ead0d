import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { incidentQuery } from "@/api/resources/incidents";
import type { Incident } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { incidentStatus } from "@/domain/incidents";
import { Callout } from "@/ui/Callout";
import { AbortPanel } from "./AbortPanel";
import { ApprovePanel } from "./ApprovePanel";
import { AttestationsPanel } from "./AttestationsPanel";
import { ConfirmPanel } from "./ConfirmPanel";
import { IncidentSummary } from "./IncidentSummary";
import { ItemsPanel } from "./ItemsPanel";
import { ReplanButton } from "./ReplanButton";
import { RulesPanel } from "./RulesPanel";

function Status({ incident }: { incident: Incident }) {
  const status = incidentStatus(incident);
  const isSaid = incident.state === "stopped" || incident.state === "aborted";
  return (
    <Callout
      tone={status.tone}
      live
      title={isSaid ? incident.sentence : `${status.word}. ${incident.sentence}`}
      actions={<ReplanButton incident={incident} />}
    />
  );
}

function Page({ incident }: { incident: Incident }) {
  return (
    <>
      <PageHeader
        title={incident.name}
        right={
          <ButtonLink
            size="xs"
            variant="default"
            to="/incidents/$incidentId/report"
            params={{ incidentId: incident.id }}
          >
            Report
          </ButtonLink>
        }
      />
      <div className="stack">
        <Status incident={incident} />
        <ItemsPanel incident={incident} />
        <AttestationsPanel incident={incident} />
        <div className="split even">
          <RulesPanel incident={incident} />
          <IncidentSummary incident={incident} />
        </div>
        <ConfirmPanel key={incident.digest} incident={incident} />
        <ApprovePanel incident={incident} />
        <AbortPanel incident={incident} />
      </div>
    </>
  );
}

/** One page over all links that a loss touches: their order, plans, losses, progress and decisions. */
export function IncidentPage() {
  const { incidentId } = useParams({ from: "/shell/incidents/$incidentId" });
  const query = useQuery(incidentQuery(incidentId));
  return (
    <QueryBoundary<Incident> query={query} label="the incident" heading="Incident">
      {(incident) => <Page incident={incident} />}
    </QueryBoundary>
  );
}
