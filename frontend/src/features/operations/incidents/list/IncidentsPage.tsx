import { incidentsQuery } from "@/api/resources/incidents";
import type { IncidentBrief } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { RequirePermission } from "@/components/RequirePermission";
import { Timestamp } from "@/components/Timestamp";
import { usePagedQuery } from "@/components/use-paged-query";
import { incidentStatus } from "@/domain/incidents";
import { type Column, column, DataTable, nameColumn, numberColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { OpenIncidentForm } from "./OpenIncidentForm";

const COLUMNS: readonly Column<IncidentBrief>[] = [
  nameColumn("Incident", (incident) => (
    <>
      <AppLink to="/incidents/$incidentId" params={{ incidentId: incident.id }}>
        {incident.name}
      </AppLink>
      <div className="dim">{incident.sentence}</div>
    </>
  )),
  column("State", (incident) => {
    const status = incidentStatus(incident);
    return <StatusChip tone={status.tone}>{status.word}</StatusChip>;
  }),
  numberColumn("Links", (incident) => incident.progress.total),
  column("Opened", (incident) => (
    <>
      <Timestamp at={incident.created_at} />
      <div className="dim nowrap">by {incident.created_by}</div>
    </>
  )),
  column("Confirmed", (incident) =>
    incident.confirmed_by ? (
      <>
        <span className="nowrap">{incident.confirmed_by}</span>
        <div className="dim">{incident.reason}</div>
      </>
    ) : (
      "no"
    ),
  ),
];

/** All incidents, newest first, and the form that opens one. */
export function IncidentsPage() {
  const incidents = usePagedQuery(incidentsQuery());
  return (
    <>
      <PageHeader title="Incidents" />
      <div className="stack">
        <RequirePermission permission="plan" action="open an incident">
          <OpenIncidentForm />
        </RequirePermission>
        <Panel title="All incidents">
          <QueryBoundary<IncidentBrief[]> query={incidents} label="the incidents">
            {(rows) => (
              <DataTable
                caption="Incidents"
                columns={COLUMNS}
                rows={rows}
                rowKey={(incident) => incident.id}
                empty="No incident was opened yet."
                more={incidents.more}
              />
            )}
          </QueryBoundary>
        </Panel>
      </div>
    </>
  );
}
