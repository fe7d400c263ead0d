/** The router over every page of the console. */
import { createRouter } from "@tanstack/react-router";
import { ErrorPage } from "./layout/ErrorPage";
import { NotFoundPage } from "./layout/NotFoundPage";
import { queryClient } from "./query-client";
import { clusterRoutes } from "./routes/clusters";
import { linkRoutes } from "./routes/links";
import { recordRoutes } from "./routes/records";
import { settingRoutes } from "./routes/settings";
import {
  addSecondFactor,
  firstSteps,
  home,
  root,
  shell,
  signIn,
  signInCallback,
} from "./routes/shell";

const pages = [...linkRoutes, ...recordRoutes, ...clusterRoutes, ...settingRoutes];

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signIn,
    signInCallback,
    addSecondFactor,
    firstSteps,
    shell.addChildren(pages),
  ]),
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
