import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { Period, Report } from "../types";

/** These operations answer with Markdown, too; asked for JSON they answer with a report. */
async function report(call: Promise<unknown>): Promise<Report> {
  return (await call) as Report;
}

const asJson = { format: "json" } as const;

export const runReportQuery = (run_id: string) =>
  queryOptions({
    queryKey: queryKeys.report("run", run_id),
    queryFn: ({ signal }) =>
      report(
        send("GET", "/api/v1/runs/{run_id}/report", { path: { run_id }, query: asJson, signal }),
      ),
  });

export const incidentReportQuery = (incident_id: string) =>
  queryOptions({
    queryKey: queryKeys.report("incident", incident_id),
    queryFn: ({ signal }) =>
      report(
        send("GET", "/api/v1/incidents/{incident_id}/report", {
          path: { incident_id },
          query: asJson,
          signal,
        }),
      ),
  });

export const certificateQuery = (rehearsal_id: string) =>
  queryOptions({
    queryKey: queryKeys.report("rehearsal", rehearsal_id),
    queryFn: ({ signal }) =>
      report(
        send("GET", "/api/v1/rehearsals/{rehearsal_id}/certificate", {
          path: { rehearsal_id },
          query: asJson,
          signal,
        }),
      ),
  });

export const readinessReportQuery = (link_id: string, period: Period) =>
  queryOptions({
    queryKey: queryKeys.report("readiness", link_id, period),
    queryFn: ({ signal }) =>
      report(
        send("GET", "/api/v1/links/{link_id}/readiness-report", {
          path: { link_id },
          query: { ...period, ...asJson },
          signal,
        }),
      ),
  });
