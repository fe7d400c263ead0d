import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { runReportQuery } from "@/api/resources/reports";
import { ReportLayout } from "./ReportLayout";

/** The incident report of a run. */
export function RunReportPage() {
  const { runId } = useParams({ from: "/shell/runs/$runId/report" });
  const query = useQuery(runReportQuery(runId));
  return <ReportLayout query={query} heading="Incident report" path={`/runs/${runId}/report`} />;
}
