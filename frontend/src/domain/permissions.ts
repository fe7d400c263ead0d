/** What each role may do. The server enforces the same; this only decides what is shown. */
export const ROLES = ["viewer", "operator", "approver", "admin"] as const;
export type Role = (typeof ROLES)[number];
export type Permission =
  | "plan"
  | "run"
  | "abort"
  | "lookup"
  | "lab"
  | "approve"
  | "register"
  | "configure"
  | "manage_users";

const ROLES_FOR: Record<Permission, readonly Role[]> = {
  plan: ["operator", "approver", "admin"],
  run: ["operator", "approver", "admin"],
  abort: ["operator", "approver", "admin"],
  lookup: ["operator", "approver", "admin"],
  lab: ["operator", "approver", "admin"],
  approve: ["approver", "admin"],
  register: ["admin"],
  configure: ["admin"],
  manage_users: ["admin"],
};

/** The roles that a user of this role may give to a token: at most their own. */
export const rolesUpTo = (role: Role): Role[] => ROLES.slice(0, ROLES.indexOf(role) + 1);

/** The role of this name; the lowest role where the name is unknown. */
export const asRole = (value: string | null): Role =>
  ROLES.find((role) => role === value) ?? "viewer";

/** Whether the role has the permission; false where no user is signed in. */
export function can(role: Role | undefined, permission: Permission): boolean {
  return role !== undefined && ROLES_FOR[permission].includes(role);
}
