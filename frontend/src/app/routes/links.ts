/** The pages of links, and of the guided workflow on one. */
import type { QueryClient } from "@tanstack/react-query";
import {
  createRoute,
  notFound,
  type ParsedLocation,
  lazyRouteComponent as page,
  redirect,
} from "@tanstack/react-router";
import { linkAdviceQuery } from "@/api/resources/advice";
import { automationQuery } from "@/api/resources/automation";
import { clustersQuery } from "@/api/resources/clusters";
import { fleetQuery } from "@/api/resources/fleet";
import { linkQuery } from "@/api/resources/links";
import { orphansQuery } from "@/api/resources/orphans";
import { planQuery } from "@/api/resources/plans";
import { rehearsalScheduleQuery } from "@/api/resources/rehearsals";
import { sessionQuery } from "@/api/resources/session";
import {
  comparisonScheduleQuery,
  tableComparisonQuery,
  tableComparisonsQuery,
} from "@/api/resources/table-comparisons";
import { webhooksQuery } from "@/api/resources/webhooks";
import { kindOf } from "@/domain/operation-kinds";
import {
  comparisonSearch,
  linkSearch,
  linksSearch,
  networkSearch,
  orphansSearch,
  periodSearch,
  proofSearch,
  rehearsalsSearch,
  settingsSearch,
  workflowSearch,
} from "../search-params";
import { read, shell } from "./shell";

/** An unknown kind of operation has no pages. */
const requireKnownKind = (kind: string): void => {
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- that is how the router learns of it
  if (!kindOf(kind)) throw notFound();
};

interface Guarded {
  context: { queryClient: QueryClient };
  location: ParsedLocation;
  search: { plan?: string | undefined; channel?: string | undefined };
}

/** Who reads operations on one page is led there, to the section of the step, from the page of any step. */
function followView({ context, location, search }: Guarded): void {
  const user = context.queryClient.getQueryData(sessionQuery().queryKey);
  if (user?.preferences.workflow_view !== "page") return;
  const { pathname, searchStr } = location;
  const at = pathname.lastIndexOf("/");
  const page = search.plan
    ? `/plans/${search.plan}/all`
    : `${pathname.slice(0, at)}/all${searchStr}`;

  throw redirect({ href: `${page}#${pathname.slice(at + 1)}` });
}

const links = createRoute({
  getParentRoute: () => shell,
  path: "/links",
  validateSearch: linksSearch,
  loader: ({ context }) => read(context.queryClient, fleetQuery()),
  component: page(() => import("@/features/links/list/LinksPage"), "LinksPage"),
});
const createLinkRoute = createRoute({
  getParentRoute: () => shell,
  path: "/links/new",
  loader: ({ context }) => read(context.queryClient, clustersQuery()),
  component: page(() => import("@/features/links/create/CreateLinkPage"), "CreateLinkPage"),
});
const link = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId",
  validateSearch: linkSearch,
  loader: ({ context, params }) => read(context.queryClient, linkQuery(params.linkId)),
  component: page(() => import("@/features/links/detail/LinkPage"), "LinkPage"),
});
const orphans = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/orphans",
  validateSearch: orphansSearch,
  loader: ({ context, params }) =>
    read(context.queryClient, linkQuery(params.linkId), orphansQuery(params.linkId)),
  component: page(() => import("@/features/transactions/orphans/OrphansPage"), "OrphansPage"),
});
const tables = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/tables",
  loader: ({ context, params }) =>
    read(
      context.queryClient,
      linkQuery(params.linkId),
      tableComparisonsQuery(params.linkId),
      comparisonScheduleQuery(params.linkId),
    ),
  component: page(() => import("@/features/transactions/tables/TablesPage"), "TablesPage"),
});
const tableComparison = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/tables/$comparisonId",
  validateSearch: comparisonSearch,
  loader: ({ context, params }) =>
    read(
      context.queryClient,
      linkQuery(params.linkId),
      tableComparisonQuery(params.linkId, params.comparisonId),
    ),
  component: page(() => import("@/features/transactions/tables/ComparisonPage"), "ComparisonPage"),
});
const advice = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/advice",
  loader: ({ context, params }) =>
    read(context.queryClient, linkQuery(params.linkId), linkAdviceQuery(params.linkId)),
  component: page(() => import("@/features/adviser/advice/LinkAdvicePage"), "LinkAdvicePage"),
});
const network = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/network",
  validateSearch: networkSearch,
  loader: ({ context, params }) => read(context.queryClient, linkQuery(params.linkId)),
  component: page(() => import("@/features/adviser/network/NetworkPage"), "NetworkPage"),
});
const rehearsals = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/rehearsals",
  validateSearch: rehearsalsSearch,
  loader: ({ context, params }) =>
    read(context.queryClient, linkQuery(params.linkId), rehearsalScheduleQuery(params.linkId)),
  component: page(
    () => import("@/features/operations/rehearsals/RehearsalsPage"),
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
  component: page(() => import("@/features/settings/SettingsPage"), "SettingsPage"),
});
const readiness = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/readiness",
  validateSearch: periodSearch,
  component: page(() => import("@/features/history/reports/ReadinessPage"), "ReadinessPage"),
});
const situation = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/$kind/situation",
  validateSearch: workflowSearch,
  beforeLoad: (guarded) => {
    requireKnownKind(guarded.params.kind);
    followView(guarded);
  },
  loader: ({ context, params }) => read(context.queryClient, linkQuery(params.linkId)),
  component: page(
    () => import("@/features/operations/planning/situation/SituationPage"),
    "SituationPage",
  ),
});
const target = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/$kind/target",
  validateSearch: workflowSearch,
  beforeLoad: (guarded) => {
    requireKnownKind(guarded.params.kind);
    followView(guarded);
  },
  loader: ({ context, params }) => read(context.queryClient, linkQuery(params.linkId)),
  component: page(() => import("@/features/operations/planning/target/TargetPage"), "TargetPage"),
});
const checks = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/$kind/checks",
  validateSearch: workflowSearch,
  beforeLoad: (guarded) => {
    requireKnownKind(guarded.params.kind);
    followView(guarded);
  },
  loader: ({ context, params }) => read(context.queryClient, linkQuery(params.linkId)),
  component: page(() => import("@/features/operations/planning/checks/ChecksPage"), "ChecksPage"),
});
const proof = createRoute({
  getParentRoute: () => shell,
  path: "/plans/$planId/proof",
  validateSearch: proofSearch,
  beforeLoad: followView,
  loader: ({ context, params }) => read(context.queryClient, planQuery(params.planId)),
  component: page(() => import("@/features/operations/planning/proof/ProofPage"), "ProofPage"),
});
const plan = createRoute({
  getParentRoute: () => shell,
  path: "/plans/$planId/plan",
  beforeLoad: followView,
  loader: ({ context, params }) => read(context.queryClient, planQuery(params.planId)),
  component: page(() => import("@/features/operations/planning/plan/PlanPage"), "PlanPage"),
});
const confirm = createRoute({
  getParentRoute: () => shell,
  path: "/plans/$planId/confirm",
  beforeLoad: followView,
  loader: ({ context, params }) => read(context.queryClient, planQuery(params.planId)),
  component: page(
    () => import("@/features/operations/planning/confirm/ConfirmPage"),
    "ConfirmPage",
  ),
});
/** All steps of an operation on one page, while it has no plan. */
const linkOnePage = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/$kind/all",
  validateSearch: workflowSearch,
  beforeLoad: ({ params }) => requireKnownKind(params.kind),
  loader: ({ context, params }) => read(context.queryClient, linkQuery(params.linkId)),
  component: page(() => import("../one-page/LinkOnePage"), "LinkOnePage"),
});
const planOnePage = createRoute({
  getParentRoute: () => shell,
  path: "/plans/$planId/all",
  validateSearch: proofSearch,
  loader: ({ context, params }) => read(context.queryClient, planQuery(params.planId)),
  component: page(() => import("../one-page/PlanOnePage"), "PlanOnePage"),
});

export const linkRoutes = [
  links,
  createLinkRoute,
  link,
  orphans,
  tables,
  tableComparison,
  advice,
  network,
  rehearsals,
  settings,
  readiness,
  situation,
  target,
  checks,
  proof,
  plan,
  confirm,
  linkOnePage,
  planOnePage,
];
