/** What each permission of the page needs. The server enforces the same; this only decides what is shown. */
export const ROLES = ["none", "viewer", "auditor", "operator", "approver", "admin"] as const;
export type Role = (typeof ROLES)[number];
/** The roles that can be assigned for an environment, a cluster or a link. */
export const SCOPED_ROLES = ROLES.filter((role) => role !== "none");
export type Permission =
  | "plan"
  | "run"
  | "abort"
  | "lookup"
  | "lab"
  | "approve"
  | "register"
  | "configure"
  | "audit_users"
  | "manage_users";

/** The permissions of the server, as a session and a link list them. */
const NEEDED: Record<Permission, string> = {
  plan: "plan",
  run: "run",
  abort: "run",
  lookup: "lookup",
  lab: "lab",
  approve: "approve",
  register: "clusters",
  configure: "links",
  audit_users: "audit",
  manage_users: "users",
};

/** The roles that a user of this role may give to a token: at most their own. A scope may grant a user without a role more. */
export const rolesUpTo = (role: Role): Role[] =>
  role === "none"
    ? ROLES.filter((each) => each !== "auditor")
    : ROLES.slice(0, ROLES.indexOf(role) + 1).filter(
        (each) => each !== "none" && (each !== "auditor" || role === "auditor" || role === "admin"),
      );

/** The role of this name; the lowest role where the name is unknown. */
export const asRole = (value: string | null): Role =>
  ROLES.find((role) => role === value) ?? "none";

/** Whether the permissions that the server listed include this one; false where no user is signed in. */
export function can(held: readonly string[] | undefined, permission: Permission): boolean {
  return held?.includes(NEEDED[permission]) ?? false;
}
