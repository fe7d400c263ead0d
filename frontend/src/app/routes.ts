import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { ErrorPage } from "@/app/layout/ErrorPage";
import { kindOf } from "@/domain/operations";
import { NotFoundPage } from "./layout/NotFoundPage";
import {
  accountSearch,
  auditSearch,
  clustersSearch,
  linkSearch,
  lookupSearch,
  orphansSearch,
  proofSearch,
  rehearsalsSearch,
  runsSearch,
  settingsSearch,
  signInSearch,
  workflowSearch,
} from "./search-params";

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: signInSearch,
  component: lazyRouteComponent(() => import("@/features/sign-in/SignInPage"), "SignInPage"),
});

const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: lazyRouteComponent(() => import("@/app/layout/AppLayout"), "AppLayout"),
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/links" });
  },
});

const links = createRoute({
  getParentRoute: () => shell,
  path: "/links",
  component: lazyRouteComponent(() => import("@/features/links/list/LinksPage"), "LinksPage"),
});
const createLinkRoute = createRoute({
  getParentRoute: () => shell,
  path: "/links/new",
  component: lazyRouteComponent(
    () => import("@/features/links/create/CreateLinkPage"),
    "CreateLinkPage",
  ),
});
const link = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId",
  validateSearch: linkSearch,
  component: lazyRouteComponent(() => import("@/features/links/detail/LinkPage"), "LinkPage"),
});

const orphans = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/orphans",
  validateSearch: orphansSearch,
  component: lazyRouteComponent(() => import("@/features/orphans/OrphansPage"), "OrphansPage"),
});
const rehearsals = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/rehearsals",
  validateSearch: rehearsalsSearch,
  component: lazyRouteComponent(
    () => import("@/features/rehearsals/RehearsalsPage"),
    "RehearsalsPage",
  ),
});
const settings = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/settings",
  validateSearch: settingsSearch,
  component: lazyRouteComponent(() => import("@/features/settings/SettingsPage"), "SettingsPage"),
});

const flow = () => import("@/features/operations/link-pages");
/** An act this console does not know has no pages. */
const knownKind = (kind: string): void => {
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- how the router is told
  if (!kindOf(kind)) throw notFound();
};
const situation = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/$kind/situation",
  validateSearch: workflowSearch,
  beforeLoad: ({ params }) => knownKind(params.kind),
  component: lazyRouteComponent(flow, "SituationPage"),
});
const target = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/$kind/target",
  validateSearch: workflowSearch,
  beforeLoad: ({ params }) => knownKind(params.kind),
  component: lazyRouteComponent(flow, "TargetPage"),
});
const checks = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/$kind/checks",
  validateSearch: workflowSearch,
  beforeLoad: ({ params }) => knownKind(params.kind),
  component: lazyRouteComponent(flow, "ChecksPage"),
});

const planPages = () => import("@/features/operations/plan-pages");
const proof = createRoute({
  getParentRoute: () => shell,
  path: "/plans/$planId/proof",
  validateSearch: proofSearch,
  component: lazyRouteComponent(planPages, "ProofPage"),
});
const plan = createRoute({
  getParentRoute: () => shell,
  path: "/plans/$planId/plan",
  component: lazyRouteComponent(planPages, "PlanPage"),
});
const confirm = createRoute({
  getParentRoute: () => shell,
  path: "/plans/$planId/confirm",
  component: lazyRouteComponent(planPages, "ConfirmPage"),
});

const runs = createRoute({
  getParentRoute: () => shell,
  path: "/runs",
  validateSearch: runsSearch,
  component: lazyRouteComponent(() => import("@/features/runs/RunsPage"), "RunsPage"),
});
const run = createRoute({
  getParentRoute: () => shell,
  path: "/runs/$runId",
  component: lazyRouteComponent(() => import("@/features/runs/RunPage"), "RunPage"),
});
const result = createRoute({
  getParentRoute: () => shell,
  path: "/runs/$runId/result",
  component: lazyRouteComponent(() => import("@/features/runs/ResultPage"), "ResultPage"),
});

const waiting = createRoute({
  getParentRoute: () => shell,
  path: "/waiting",
  component: lazyRouteComponent(() => import("@/features/waiting/WaitingPage"), "WaitingPage"),
});

const audit = createRoute({
  getParentRoute: () => shell,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("@/features/audit/AuditPage"), "AuditPage"),
});
const clusters = createRoute({
  getParentRoute: () => shell,
  path: "/clusters",
  validateSearch: clustersSearch,
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
const lookup = createRoute({
  getParentRoute: () => shell,
  path: "/lookup",
  validateSearch: lookupSearch,
  component: lazyRouteComponent(() => import("@/features/lookup/LookupPage"), "LookupPage"),
});
const account = createRoute({
  getParentRoute: () => shell,
  path: "/account",
  validateSearch: accountSearch,
  component: lazyRouteComponent(() => import("@/features/account/AccountPage"), "AccountPage"),
});
const lab = createRoute({
  getParentRoute: () => shell,
  path: "/lab",
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
  waiting,
  audit,
  clusters,
  createClusterRoute,
  lookup,
  account,
  lab,
];

export const router = createRouter({
  routeTree: root.addChildren([home, signIn, shell.addChildren(pages)]),
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
