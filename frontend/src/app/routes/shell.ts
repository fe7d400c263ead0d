/** What all pages have above them: the root, the sign-in, and the frame that needs a session. */
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  Outlet,
  lazyRouteComponent as page,
  redirect,
} from "@tanstack/react-router";
import { sessionQuery } from "@/api/resources/session";
import { ErrorPage } from "../layout/ErrorPage";
import { UnknownAddressPage } from "../layout/NotFoundPage";
import { callbackSearch, signInSearch } from "../search-params";

/** What loaders and guards use. */
interface RouterContext {
  queryClient: QueryClient;
}

/**
 * Starts to read a page's data while its code loads. The navigation does not wait for the data, and
 * a failure is not thrown: the page shows both.
 */
export function read(client: QueryClient, ...queries: unknown[]): void {
  for (const query of queries)
    client.query(query as Parameters<QueryClient["query"]>[0]).catch(() => undefined);
}

export const root = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: UnknownAddressPage,
  errorComponent: ErrorPage,
});

export const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: signInSearch,
  component: page(() => import("@/features/identity/sign-in/SignInPage"), "SignInPage"),
});

/** For a user whose role needs a second factor: nothing else answers until one is added. */
export const addSecondFactor = createRoute({
  getParentRoute: () => root,
  path: "/add-second-factor",
  beforeLoad: async ({ context }) => {
    const user = await context.queryClient.query({ ...sessionQuery(), staleTime: "static" });
    if (user === null) throw redirect({ to: "/sign-in", search: { next: "/add-second-factor" } });
  },
  component: page(
    () => import("@/features/identity/account/AddSecondFactorPage"),
    "AddSecondFactorPage",
  ),
});

/** For a user who has yet to replace an initial password, or to agree to what is kept of persons. */
export const firstSteps = createRoute({
  getParentRoute: () => root,
  path: "/first-steps",
  beforeLoad: async ({ context }) => {
    const user = await context.queryClient.query({ ...sessionQuery(), staleTime: "static" });
    if (user === null) throw redirect({ to: "/sign-in", search: { next: "/first-steps" } });
  },
  component: page(() => import("@/features/identity/account/FirstStepsPage"), "FirstStepsPage"),
});

/** Where a provider sends the browser back to. */
export const signInCallback = createRoute({
  getParentRoute: () => root,
  path: "/sign-in/callback",
  validateSearch: callbackSearch,
  component: page(() => import("@/features/identity/sign-in/CallbackPage"), "CallbackPage"),
});

const loadLayout = () => import("../layout/AppLayout");

/** All pages that need a session; after the sign-in the requested address opens. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: page(loadLayout, "AppLayout"),
  errorComponent: page(() => import("../layout/SessionProblem"), "SessionProblem"),
  beforeLoad: async ({ context, location }) => {
    // Its code loads while the session is read; a failure is shown where it is waited for.
    loadLayout().catch(() => undefined);
    const user = await context.queryClient.query({ ...sessionQuery(), staleTime: "static" });
    if (user === null) throw redirect({ to: "/sign-in", search: { next: location.href } });
    if (user.must_change_password || user.must_accept_notice)
      throw redirect({ to: "/first-steps" });
    if (user.must_add_second_factor) throw redirect({ to: "/add-second-factor" });
  },
});

export const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/links" });
  },
});
