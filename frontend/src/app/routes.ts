/** Every page of the console: its address, its search parameters, the data it reads first, its code. */
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { auditVerificationQuery } from "@/api/resources/audit";
import { automationQuery } from "@/api/resources/automation";
import { clusterQuery, clustersQuery, membershipQuery } from "@/api/resources/clusters";
import { labQuery } from "@/api/resources/lab";
import { linkQuery, linksQuery } from "@/api/resources/links";
import { orphansQuery } from "@/api/resources/orphans";
import { pendingApprovalsQuery } from "@/api/resources/pending-approvals";
import { planQuery } from "@/api/resources/plans";
import { rehearsalScheduleQuery } from "@/api/resources/rehearsals";
import { rolesQuery } from "@/api/resources/roles";
import { runQuery } from "@/api/resources/runs";
import { sessionQuery } from "@/api/resources/session";
import { sessionsQuery } from "@/api/resources/sessions";
import { tokensQuery } from "@/api/resources/tokens";
import { webhooksQuery } from "@/api/resources/webhooks";
import { kindOf } from "@/domain/operations";
import { ErrorPage } from "./layout/ErrorPage";
import { NotFoundPage, UnknownAddressPage } from "./layout/NotFoundPage";
import { queryClient } from "./query-client";
import {
  auditSearch,
  clustersSearch,
  historySearch,
  linkSearch,
  lookupSearch,
  orphansSearch,
  periodSearch,
  proofSearch,
  rehearsalsSearch,
  runsSearch,
  settingsSearch,
  signInSearch,
  usersSearch,
  workflowSearch,
} from "./search-params";

/** What loaders and guards use. */
interface RouterContext {
  queryClient: QueryClient;
}

/**
 * Starts to read a page's data while its code loads. The navigation does not wait for the data, and
 * a failure is not thrown: the page shows both.
 */
function read(client: QueryClient, ...queries: unknown[]): void {
  for (const query of queries)
    client.query(query as Parameters<QueryClient["query"]>[0]).catch(() => undefined);
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: UnknownAddressPage,
  errorComponent: ErrorPage,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: signInSearch,
  component: lazyRouteComponent(() => import("@/features/sign-in/SignInPage"), "SignInPage"),
});

/** All pages that need a session; after the sign-in the requested address opens. */
const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: lazyRouteComponent(() => import("./layout/AppLayout"), "AppLayout"),
  errorComponent: lazyRouteComponent(() => import("./layout/SessionProblem"), "SessionProblem"),
  beforeLoad: async ({ context, location }) => {
    const user = await context.queryClient.query({ ...sessionQuery(), staleTime: "static" });
    if (user === null) throw redirect({ to: "/sign-in", search: { next: location.href } });
  },
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/links" });
  },
});

/** An unknown kind of operation has no pages. */
const requireKnownKind = (kind: string): void => {
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- how the router is sentences
  if (!kindOf(kind)) throw notFound();
};

const links = createRoute({
  getParentRoute: () => shell,
  path: "/links",
  loader: ({ context }) => read(context.queryClient, linksQuery()),
  component: lazyRouteComponent(() => import("@/features/links/list/LinksPage"), "LinksPage"),
});
const createLinkRoute = createRoute({
  getParentRoute: () => shell,
  path: "/links/new",
  loader: ({ context }) => read(context.queryClient, clustersQuery()),
  component: lazyRouteComponent(
    () => import("@/features/links/create/CreateLinkPage"),
    "CreateLinkPage",
  ),
});
const link = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId",
  validateSearch: linkSearch,
  loader: ({ context, params }) => read(context.queryClient, linkQuery(params.linkId)),
  component: lazyRouteComponent(() => import("@/features/links/detail/LinkPage"), "LinkPage"),
});
const orphans = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/orphans",
  validateSearch: orphansSearch,
  loader: ({ context, params }) =>
    read(context.queryClient, linkQuery(params.linkId), orphansQuery(params.linkId)),
  component: lazyRouteComponent(() => import("@/features/orphans/OrphansPage"), "OrphansPage"),
});
const rehearsals = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/rehearsals",
  validateSearch: rehearsalsSearch,
  loader: ({ context, params }) =>
    read(context.queryClient, linkQuery(params.linkId), rehearsalScheduleQuery(params.linkId)),
  component: lazyRouteComponent(
    () => import("@/features/rehearsals/RehearsalsPage"),
    "RehearsalsPage",
  ),
});
const settings = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/settings",
  validateSearch: settingsSearch,
  loader: ({ context, params }) =>
    read(
      context.queryClient,
      linkQuery(params.linkId),
      webhooksQuery(params.linkId),
      automationQuery(params.linkId),
    ),
  component: lazyRouteComponent(() => import("@/features/settings/SettingsPage"), "SettingsPage"),
});
const situation = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/$kind/situation",
  validateSearch: workflowSearch,
  beforeLoad: ({ params }) => requireKnownKind(params.kind),
  loader: ({ context, params }) => read(context.queryClient, linkQuery(params.linkId)),
  component: lazyRouteComponent(
    () => import("@/features/operations/situation/SituationPage"),
    "SituationPage",
  ),
});
const target = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/$kind/target",
  validateSearch: workflowSearch,
  beforeLoad: ({ params }) => requireKnownKind(params.kind),
  loader: ({ context, params }) => read(context.queryClient, linkQuery(params.linkId)),
  component: lazyRouteComponent(
    () => import("@/features/operations/target/TargetPage"),
    "TargetPage",
  ),
});
const checks = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/$kind/checks",
  validateSearch: workflowSearch,
  beforeLoad: ({ params }) => requireKnownKind(params.kind),
  loader: ({ context, params }) => read(context.queryClient, linkQuery(params.linkId)),
  component: lazyRouteComponent(
    () => import("@/features/operations/checks/ChecksPage"),
    "ChecksPage",
  ),
});
const proof = createRoute({
  getParentRoute: () => shell,
  path: "/plans/$planId/proof",
  validateSearch: proofSearch,
  loader: ({ context, params }) => read(context.queryClient, planQuery(params.planId)),
  component: lazyRouteComponent(() => import("@/features/operations/proof/ProofPage"), "ProofPage"),
});
const plan = createRoute({
  getParentRoute: () => shell,
  path: "/plans/$planId/plan",
  loader: ({ context, params }) => read(context.queryClient, planQuery(params.planId)),
  component: lazyRouteComponent(() => import("@/features/operations/plan/PlanPage"), "PlanPage"),
});
const confirm = createRoute({
  getParentRoute: () => shell,
  path: "/plans/$planId/confirm",
  loader: ({ context, params }) => read(context.queryClient, planQuery(params.planId)),
  component: lazyRouteComponent(
    () => import("@/features/operations/confirm/ConfirmPage"),
    "ConfirmPage",
  ),
});
const runs = createRoute({
  getParentRoute: () => shell,
  path: "/runs",
  validateSearch: runsSearch,
  loader: ({ context }) => read(context.queryClient, linksQuery()),
  component: lazyRouteComponent(() => import("@/features/runs/RunsPage"), "RunsPage"),
});
const run = createRoute({
  getParentRoute: () => shell,
  path: "/runs/$runId",
  loader: ({ context, params }) => read(context.queryClient, runQuery(params.runId)),
  component: lazyRouteComponent(() => import("@/features/runs/RunPage"), "RunPage"),
});
const result = createRoute({
  getParentRoute: () => shell,
  path: "/runs/$runId/result",
  loader: ({ context, params }) => read(context.queryClient, runQuery(params.runId)),
  component: lazyRouteComponent(() => import("@/features/runs/ResultPage"), "ResultPage"),
});
const runReport = createRoute({
  getParentRoute: () => shell,
  path: "/runs/$runId/report",
  component: lazyRouteComponent(() => import("@/features/reports/RunReportPage"), "RunReportPage"),
});
const certificate = createRoute({
  getParentRoute: () => shell,
  path: "/rehearsals/$rehearsalId/certificate",
  component: lazyRouteComponent(
    () => import("@/features/reports/CertificatePage"),
    "CertificatePage",
  ),
});
const readiness = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/readiness",
  validateSearch: periodSearch,
  component: lazyRouteComponent(() => import("@/features/reports/ReadinessPage"), "ReadinessPage"),
});
const history = createRoute({
  getParentRoute: () => shell,
  path: "/history",
  validateSearch: historySearch,
  component: lazyRouteComponent(() => import("@/features/history/HistoryPage"), "HistoryPage"),
});
const historyEntry = createRoute({
  getParentRoute: () => shell,
  path: "/history/$runId",
  component: lazyRouteComponent(() => import("@/features/history/EntryPage"), "EntryPage"),
});
const waiting = createRoute({
  getParentRoute: () => shell,
  path: "/waiting",
  loader: ({ context }) => read(context.queryClient, pendingApprovalsQuery()),
  component: lazyRouteComponent(() => import("@/features/waiting/WaitingPage"), "WaitingPage"),
});
const audit = createRoute({
  getParentRoute: () => shell,
  path: "/audit",
  validateSearch: auditSearch,
  loader: ({ context }) => read(context.queryClient, auditVerificationQuery()),
  component: lazyRouteComponent(() => import("@/features/audit/AuditPage"), "AuditPage"),
});
const clusters = createRoute({
  getParentRoute: () => shell,
  path: "/clusters",
  validateSearch: clustersSearch,
  loader: ({ context }) => read(context.queryClient, clustersQuery()),
  component: lazyRouteComponent(() => import("@/features/clusters/ClustersPage"), "ClustersPage"),
});
const createClusterRoute = createRoute({
  getParentRoute: () => shell,
  path: "/clusters/new",
  component: lazyRouteComponent(
    () => import("@/features/clusters/CreateClusterPage"),
    "CreateClusterPage",
  ),
});
const cluster = createRoute({
  getParentRoute: () => shell,
  path: "/clusters/$clusterId",
  loader: ({ context, params }) =>
    read(
      context.queryClient,
      clusterQuery(params.clusterId),
      membershipQuery(params.clusterId),
      linksQuery(),
    ),
  component: lazyRouteComponent(
    () => import("@/features/clusters/detail/ClusterPage"),
    "ClusterPage",
  ),
});
const lookup = createRoute({
  getParentRoute: () => shell,
  path: "/lookup",
  validateSearch: lookupSearch,
  loader: ({ context }) => read(context.queryClient, clustersQuery(), linksQuery()),
  component: lazyRouteComponent(() => import("@/features/lookup/LookupPage"), "LookupPage"),
});
const account = createRoute({
  getParentRoute: () => shell,
  path: "/account",
  validateSearch: usersSearch,
  beforeLoad: ({ search: { person } }) => {
    if (person) throw redirect({ to: "/settings/users", search: { person }, replace: true });
  },
  component: lazyRouteComponent(() => import("@/features/account/AccountPage"), "AccountPage"),
});
const consoleSettings = createRoute({
  getParentRoute: () => shell,
  path: "/settings",
  beforeLoad: () => {
    throw redirect({ to: "/settings/display", replace: true });
  },
});
const display = createRoute({
  getParentRoute: () => shell,
  path: "/settings/display",
  component: lazyRouteComponent(
    () => import("@/features/settings/display/DisplayPage"),
    "DisplayPage",
  ),
});
const notifications = createRoute({
  getParentRoute: () => shell,
  path: "/settings/notifications",
  component: lazyRouteComponent(
    () => import("@/features/settings/notifications/NotificationsPage"),
    "NotificationsPage",
  ),
});
const tokens = createRoute({
  getParentRoute: () => shell,
  path: "/settings/tokens",
  loader: ({ context }) => read(context.queryClient, tokensQuery()),
  component: lazyRouteComponent(
    () => import("@/features/settings/access/TokensPage"),
    "TokensPage",
  ),
});
const sessions = createRoute({
  getParentRoute: () => shell,
  path: "/settings/sessions",
  loader: ({ context }) => read(context.queryClient, sessionsQuery()),
  component: lazyRouteComponent(
    () => import("@/features/settings/access/SessionsPage"),
    "SessionsPage",
  ),
});
const users = createRoute({
  getParentRoute: () => shell,
  path: "/settings/users",
  validateSearch: usersSearch,
  component: lazyRouteComponent(() => import("@/features/settings/users/UsersPage"), "UsersPage"),
});
const roles = createRoute({
  getParentRoute: () => shell,
  path: "/settings/roles",
  loader: ({ context }) => read(context.queryClient, rolesQuery()),
  component: lazyRouteComponent(() => import("@/features/settings/users/RolesPage"), "RolesPage"),
});
const webhooks = createRoute({
  getParentRoute: () => shell,
  path: "/settings/webhooks",
  loader: ({ context }) => read(context.queryClient, linksQuery()),
  component: lazyRouteComponent(
    () => import("@/features/settings/webhooks/WebhooksPage"),
    "WebhooksPage",
  ),
});
const lab = createRoute({
  getParentRoute: () => shell,
  path: "/lab",
  loader: ({ context }) => read(context.queryClient, labQuery()),
  component: lazyRouteComponent(() => import("@/features/lab/LabPage"), "LabPage"),
});

const pages = [
  links,
  createLinkRoute,
  link,
  orphans,
  rehearsals,
  settings,
  situation,
  target,
  checks,
  proof,
  plan,
  confirm,
  runs,
  run,
  result,
  runReport,
  certificate,
  readiness,
  history,
  historyEntry,
  waiting,
  audit,
  clusters,
  createClusterRoute,
  cluster,
  lookup,
  account,
  consoleSettings,
  display,
  notifications,
  tokens,
  sessions,
  users,
  roles,
  webhooks,
  lab,
];

export const router = createRouter({
  routeTree: root.addChildren([home, signIn, shell.addChildren(pages)]),
  context: { queryClient },
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  defaultPreload: "intent",
  // The query cache decides what is fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
