/** "May I do this?" as one table. The server enforces the same; this only decides what is drawn. */
export type Role = "viewer" | "operator" | "approver" | "admin";
export type Ability =
  | "plan"
  | "run"
  | "abort"
  | "lookup"
  | "lab"
  | "approve"
  | "register"
  | "configure"
  | "manage_users";

const ROLES_FOR: Record<Ability, readonly Role[]> = {
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

/** True where the role carries the ability; nobody signed in can do nothing. */
export function may(role: Role | undefined, ability: Ability): boolean {
  return role !== undefined && ROLES_FOR[ability].includes(role);
}
