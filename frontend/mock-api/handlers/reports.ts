import { HttpResponse } from "msw";
import type { Report } from "@/api/types";
import { http } from "../http";
import { certificate, incidentReport, readinessReport, runReport } from "../seeds/reports";

/** The report in the format that the caller asks for. */
const answer = (report: Report, format: string | null) =>
  format === "json" ? HttpResponse.json(report) : HttpResponse.text(`# ${report.document.title}\n`);

export const reportHandlers = () => [
  http.get("/api/v1/runs/{run_id}/report", ({ query, response }) =>
    response.untyped(answer(runReport(), query.get("format"))),
  ),
  http.get("/api/v1/incidents/{incident_id}/report", ({ query, response }) =>
    response.untyped(answer(incidentReport(), query.get("format"))),
  ),
  http.get("/api/v1/rehearsals/{rehearsal_id}/certificate", ({ query, response }) =>
    response.untyped(answer(certificate(), query.get("format"))),
  ),
  http.get("/api/v1/links/{link_id}/readiness-report", ({ query, response }) =>
    response.untyped(answer(readinessReport(), query.get("format"))),
  ),
];
