import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { z } from "zod";
import { AppLayout } from "@/app/layout/AppLayout";
import { ErrorPage } from "@/app/layout/ErrorPage";
import { kindOf, ORPHAN_STRATEGIES } from "@/domain/operations";
import { NotFoundPage, UnknownAddressPage } from "./layout/NotFoundPage";

const text = z.string().optional().catch(undefined);
const RUN_STATES = [
  "waiting_approval",
  "queued",
  "running",
  "succeeded",
  "failed",
  "aborted",
  "needs_operator",
] as const;
const flowSearch = z.object({
  source_node: text,
  replica_node: text,
  orphans: z.enum(ORPHAN_STRATEGIES).optional().catch(undefined),
  plan: text,
});
const auditSearch = z.object({
  link: text,
  run: text,
  actor: text,
  action: text,
  since: text,
  until: text,
});

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: UnknownAddressPage,
  errorComponent: ErrorPage,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: z.object({ next: text }),
  component: lazyRouteComponent(() => import("@/features/sign-in/SignInPage"), "SignInPage"),
});

const shell = createRoute({ getParentRoute: () => root, id: "shell", component: AppLayout });

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
  validateSearch: z.object({ minutes: z.number().optional().catch(undefined) }),
  component: lazyRouteComponent(() => import("@/features/links/detail/LinkPage"), "LinkPage"),
});

const orphans = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/orphans",
  validateSearch: z.object({ table: text }),
  component: lazyRouteComponent(() => import("@/features/orphans/OrphansPage"), "OrphansPage"),
});
const rehearsals = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/rehearsals",
  validateSearch: z.object({ kind: text }),
  component: lazyRouteComponent(
    () => import("@/features/rehearsals/RehearsalsPage"),
    "RehearsalsPage",
  ),
});
const settings = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/settings",
  validateSearch: z.object({ hook: text }),
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
  validateSearch: flowSearch,
  beforeLoad: ({ params }) => knownKind(params.kind),
  component: lazyRouteComponent(flow, "SituationPage"),
});
const target = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/$kind/target",
  validateSearch: flowSearch,
  beforeLoad: ({ params }) => knownKind(params.kind),
  component: lazyRouteComponent(flow, "TargetPage"),
});
const checks = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/$kind/checks",
  validateSearch: flowSearch,
  beforeLoad: ({ params }) => knownKind(params.kind),
  component: lazyRouteComponent(flow, "ChecksPage"),
});

const planPages = () => import("@/features/operations/plan-pages");
const proof = createRoute({
  getParentRoute: () => shell,
  path: "/plans/$planId/proof",
  validateSearch: z.object({ channel: z.enum(["forward", "reverse"]).optional().catch(undefined) }),
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
  validateSearch: z.object({ link: text, state: z.enum(RUN_STATES).optional().catch(undefined) }),
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
  validateSearch: z.object({ node: text }),
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
  validateSearch: z.object({ cluster: text, xid: z.coerce.string().optional().catch(undefined) }),
  component: lazyRouteComponent(() => import("@/features/lookup/LookupPage"), "LookupPage"),
});
const account = createRoute({
  getParentRoute: () => shell,
  path: "/account",
  validateSearch: z.object({ person: text }),
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
