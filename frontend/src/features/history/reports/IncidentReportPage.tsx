import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { incidentReportQuery } from "@/api/resources/reports";
import { ReportLayout } from "./ReportLayout";

/** The report of an incident: all its links and runs. */
export function IncidentReportPage() {
  const { incidentId } = useParams({ from: "/shell/incidents/$incidentId/report" });
  const query = useQuery(incidentReportQuery(incidentId));
  return (
    <ReportLayout
      query={query}
      heading="Incident report"
      path={`/incidents/${incidentId}/report`}
    />
  );
}
