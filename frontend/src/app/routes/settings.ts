/** The account, and the settings of the console. */
import { createRoute, lazyRouteComponent as page, redirect } from "@tanstack/react-router";
import { linksQuery } from "@/api/resources/links";
import { rolesQuery } from "@/api/resources/roles";
import { sessionsQuery } from "@/api/resources/sessions";
import { tokensQuery } from "@/api/resources/tokens";
import { usersSearch } from "../search-params";
import { read, shell } from "./shell";

const account = createRoute({
  getParentRoute: () => shell,
  path: "/account",
  validateSearch: usersSearch,
  beforeLoad: ({ search: { person } }) => {
    if (person) throw redirect({ to: "/settings/users", search: { person }, replace: true });
  },
  component: page(() => import("@/features/identity/account/AccountPage"), "AccountPage"),
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
  component: page(() => import("@/features/settings/display/DisplayPage"), "DisplayPage"),
});
const notifications = createRoute({
  getParentRoute: () => shell,
  path: "/settings/notifications",
  component: page(
    () => import("@/features/settings/notifications/NotificationsPage"),
    "NotificationsPage",
  ),
});
const tokens = createRoute({
  getParentRoute: () => shell,
  path: "/settings/tokens",
  loader: ({ context }) => read(context.queryClient, tokensQuery()),
  component: page(() => import("@/features/settings/access/TokensPage"), "TokensPage"),
});
const sessions = createRoute({
  getParentRoute: () => shell,
  path: "/settings/sessions",
  loader: ({ context }) => read(context.queryClient, sessionsQuery()),
  component: page(() => import("@/features/settings/access/SessionsPage"), "SessionsPage"),
});
const users = createRoute({
  getParentRoute: () => shell,
  path: "/settings/users",
  validateSearch: usersSearch,
  component: page(() => import("@/features/settings/users/UsersPage"), "UsersPage"),
});
const teams = createRoute({
  getParentRoute: () => shell,
  path: "/settings/teams",
  component: page(() => import("@/features/settings/teams/TeamsPage"), "TeamsPage"),
});
const roles = createRoute({
  getParentRoute: () => shell,
  path: "/settings/roles",
  loader: ({ context }) => read(context.queryClient, rolesQuery()),
  component: page(() => import("@/features/settings/users/RolesPage"), "RolesPage"),
});
const webhooks = createRoute({
  getParentRoute: () => shell,
  path: "/settings/webhooks",
  loader: ({ context }) => read(context.queryClient, linksQuery()),
  component: page(() => import("@/features/settings/webhooks/WebhooksPage"), "WebhooksPage"),
});
const destinations = createRoute({
  getParentRoute: () => shell,
  path: "/settings/destinations",
  component: page(
    () => import("@/features/settings/destinations/DestinationsPage"),
    "DestinationsPage",
  ),
});
const changeCalendar = createRoute({
  getParentRoute: () => shell,
  path: "/settings/change-calendar",
  loader: ({ context }) => read(context.queryClient, linksQuery()),
  component: page(
    () => import("@/features/settings/change-calendar/ChangeCalendarPage"),
    "ChangeCalendarPage",
  ),
});

export const settingRoutes = [
  account,
  consoleSettings,
  display,
  notifications,
  tokens,
  sessions,
  users,
  teams,
  roles,
  webhooks,
  destinations,
  changeCalendar,
];
