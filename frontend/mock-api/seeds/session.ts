/** Who is signed in to the API from memory, by role. */
import type { CurrentUser, ProviderIdentity, RoleTable } from "@/api/types";
import { ROLES, type Role } from "@/domain/permissions";
import { DEFAULT_PREFERENCES } from "@/domain/preferences";
import { ago, now } from "./clusters";

const NAMES: Record<Role, string> = {
  none: "nora",
  auditor: "alice",
  viewer: "vera",
  operator: "olaf",
  approver: "anna",
  admin: "operator-1",
};

const PERSONAL = ["session", "tokens"] as const;
const VIEWER = [...PERSONAL, "read"] as const;
const OPERATOR = [...VIEWER, "lookup", "plan", "run", "lab"] as const;
const APPROVER = [...OPERATOR, "approve", "override_calendar"] as const;
const PERMISSIONS: Record<Role, readonly CurrentUser["permissions"][number][]> = {
  none: PERSONAL,
  viewer: VIEWER,
  auditor: [...VIEWER, "audit"],
  operator: OPERATOR,
  approver: APPROVER,
  admin: [...APPROVER, "clusters", "links", "audit", "users"],
};

/** As in backend/common/roles.py. */
const DESCRIPTIONS: Record<CurrentUser["permissions"][number], string> = {
  read: "Read links, clusters, plans, runs, rehearsals and the audit log",
  session: "Sign in, change the own password and preferences, end own sessions",
  tokens: "Create and revoke own tokens, with at most the own role",
  lookup:
    "Look up transactions, row versions and orphaned transactions; compare tables, read their rows",
  plan: "Make plans, rehearse operations and measure the network of a link",
  run: "Start, abort and resume runs, maintenance, confirm a replaced server, dismiss advice",
  lab: "Stop nodes and sites of the demo lab",
  approve: "Approve runs of other users and review runs without approval",
  override_calendar: "Start planned operations in spite of the change calendar, with a reason",
  clusters: "Register, change and retire clusters and nodes",
  links:
    "Register, change and retire links, their webhooks, destinations, automation and change calendar",
  audit: "Read users, their sessions and tokens, teams, and who may do what",
  users:
    "Manage users, teams and roles, their sessions and tokens, and decide on protected changes",
};

const permissionsOf = (role: Role) => [...PERMISSIONS[role]];

export const roleTable = (): RoleTable => ({
  roles: ROLES.map((role) => ({ role, permissions: permissionsOf(role) })),
  permissions: permissionsOf("admin").map((permission) => ({
    permission,
    description: DESCRIPTIONS[permission],
  })),
});

export const isRole = (value: string): value is Role => ROLES.some((role) => role === value);

export const currentUser = (role: Role): CurrentUser => ({
  username: NAMES[role],
  role,
  permissions: permissionsOf(role),
  everywhere: permissionsOf(role),
  preferences: { ...DEFAULT_PREFERENCES, tour: "ended" },
  must_add_second_factor: false,
  must_change_password: false,
  must_accept_notice: false,
  notifications: [],
  demo: true,
  server_time: now(),
  version: "0.1.0",
  provider: null,
});

/** A user who came from a provider. */
export const atProvider = (name: string, groups: string[]): ProviderIdentity => ({
  kind: "oidc",
  issuer: "https://id.example.net/realms/operations",
  email: `${name}@example.net`,
  groups,
  confirmed_at: ago(140),
  same_person_as: null,
});
