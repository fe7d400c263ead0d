import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { z } from "zod";
import { NotFound, PageCrash } from "./PageCrash";
import { Shell } from "./Shell";

const text = z.string().optional().catch(undefined);
const list = z.array(z.string()).optional().catch(undefined);
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
  kind: z.enum(["relocate", "clean"]).optional().catch(undefined),
  source_node: text,
  replica_node: text,
  attest_fenced: list,
  plan: text,
  reason: text,
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
  notFoundComponent: NotFound,
  errorComponent: PageCrash,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: z.object({ next: text }),
  component: lazyRouteComponent(() => import("@/features/session/SignInPage"), "SignInPage"),
});

const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });

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
  component: lazyRouteComponent(() => import("@/features/links/LinksPage"), "LinksPage"),
});
const linkNew = createRoute({
  getParentRoute: () => shell,
  path: "/links/new",
  component: lazyRouteComponent(
    () => import("@/features/clusters/RegisterLinkPage"),
    "RegisterLinkPage",
  ),
});
const link = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId",
  validateSearch: z.object({ minutes: z.number().optional().catch(undefined) }),
  component: lazyRouteComponent(() => import("@/features/links/LinkPage"), "LinkPage"),
});

const relocate = () => import("@/features/relocate/linkPages");
const situation = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/relocate/situation",
  validateSearch: flowSearch,
  component: lazyRouteComponent(relocate, "SituationPage"),
});
const target = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/relocate/target",
  validateSearch: flowSearch,
  component: lazyRouteComponent(relocate, "TargetPage"),
});
const checks = createRoute({
  getParentRoute: () => shell,
  path: "/links/$linkId/relocate/checks",
  validateSearch: flowSearch,
  component: lazyRouteComponent(relocate, "ChecksPage"),
});

const planPages = () => import("@/features/relocate/planPages");
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
const clusterNew = createRoute({
  getParentRoute: () => shell,
  path: "/clusters/new",
  component: lazyRouteComponent(() => import("@/features/clusters/RegisterPage"), "RegisterPage"),
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
  component: lazyRouteComponent(() => import("@/features/account/AccountPage"), "AccountPage"),
});
const lab = createRoute({
  getParentRoute: () => shell,
  path: "/lab",
  component: lazyRouteComponent(() => import("@/features/lab/LabPage"), "LabPage"),
});

const pages = [
  links,
  linkNew,
  link,
  situation,
  target,
  checks,
  proof,
  plan,
  confirm,
  runs,
  run,
  result,
  audit,
  clusters,
  clusterNew,
  lookup,
  account,
  lab,
];

export const router = createRouter({
  routeTree: root.addChildren([home, signIn, shell.addChildren(pages)]),
  defaultErrorComponent: PageCrash,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
