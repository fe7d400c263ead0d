/** "May I do this?" as one table. The server enforces the same; this only decides what is drawn. */
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

/** Roles that a person of this role may give to a token: at most his own. */
export const rolesUpTo = (role: Role): Role[] => ROLES.slice(0, ROLES.indexOf(role) + 1);

/** The role of this name; the least where there is none. */
export const asRole = (value: string | null): Role =>
  ROLES.find((role) => role === value) ?? "viewer";

/** True where the role carries the ability; nobody signed in can do nothing. */
export function can(role: Role | undefined, ability: Permission): boolean {
  return role !== undefined && ROLES_FOR[ability].includes(role);
}
