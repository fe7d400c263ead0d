/** The pages of what was done: runs, incidents, history, reports, approvals, audit log. */
import { createRoute, lazyRouteComponent as page } from "@tanstack/react-router";
import { auditVerificationQuery } from "@/api/resources/audit";
import { fleetQuery } from "@/api/resources/fleet";
import { pendingApprovalsQuery } from "@/api/resources/pending-approvals";
import { runQuery } from "@/api/resources/runs";
import { auditSearch, historySearch, incidentsSearch, runsSearch } from "../search-params";
import { read, shell } from "./shell";

const runs = createRoute({
  getParentRoute: () => shell,
  path: "/runs",
  validateSearch: runsSearch,
  loader: ({ context }) => read(context.queryClient, fleetQuery()),
  component: page(() => import("@/features/operations/runs/RunsPage"), "RunsPage"),
});
const run = createRoute({
  getParentRoute: () => shell,
  path: "/runs/$runId",
  loader: ({ context, params }) => read(context.queryClient, runQuery(params.runId)),
  component: page(() => import("@/features/operations/runs/RunPage"), "RunPage"),
});
const decision = createRoute({
  getParentRoute: () => shell,
  path: "/runs/$runId/approve",
  loader: ({ context, params }) => read(context.queryClient, runQuery(params.runId)),
  component: page(() => import("../decision/DecisionPage"), "DecisionPage"),
});
const result = createRoute({
  getParentRoute: () => shell,
  path: "/runs/$runId/result",
  loader: ({ context, params }) => read(context.queryClient, runQuery(params.runId)),
  component: page(() => import("@/features/operations/runs/ResultPage"), "ResultPage"),
});
const runReport = createRoute({
  getParentRoute: () => shell,
  path: "/runs/$runId/report",
  component: page(() => import("@/features/history/reports/RunReportPage"), "RunReportPage"),
});
const certificate = createRoute({
  getParentRoute: () => shell,
  path: "/rehearsals/$rehearsalId/certificate",
  component: page(() => import("@/features/history/reports/CertificatePage"), "CertificatePage"),
});
const incidents = createRoute({
  getParentRoute: () => shell,
  path: "/incidents",
  validateSearch: incidentsSearch,
  component: page(
    () => import("@/features/operations/incidents/list/IncidentsPage"),
    "IncidentsPage",
  ),
});
const incident = createRoute({
  getParentRoute: () => shell,
  path: "/incidents/$incidentId",
  component: page(
    () => import("@/features/operations/incidents/detail/IncidentPage"),
    "IncidentPage",
  ),
});
const incidentReport = createRoute({
  getParentRoute: () => shell,
  path: "/incidents/$incidentId/report",
  component: page(
    () => import("@/features/history/reports/IncidentReportPage"),
    "IncidentReportPage",
  ),
});
const history = createRoute({
  getParentRoute: () => shell,
  path: "/history",
  validateSearch: historySearch,
  component: page(() => import("@/features/history/HistoryPage"), "HistoryPage"),
});
const historyEntry = createRoute({
  getParentRoute: () => shell,
  path: "/history/$runId",
  component: page(() => import("@/features/history/EntryPage"), "EntryPage"),
});
const waiting = createRoute({
  getParentRoute: () => shell,
  path: "/waiting",
  loader: ({ context }) => read(context.queryClient, pendingApprovalsQuery()),
  component: page(() => import("@/features/operations/waiting/WaitingPage"), "WaitingPage"),
});
const audit = createRoute({
  getParentRoute: () => shell,
  path: "/audit",
  validateSearch: auditSearch,
  loader: ({ context }) => read(context.queryClient, auditVerificationQuery()),
  component: page(() => import("@/features/audit/AuditPage"), "AuditPage"),
});

export const recordRoutes = [
  runs,
  run,
  decision,
  result,
  runReport,
  certificate,
  incidents,
  incident,
  incidentReport,
  history,
  historyEntry,
  waiting,
  audit,
];
