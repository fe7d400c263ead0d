/** Who is signed in to the API from memory, by role. */
import type { CurrentUser } from "@/api/types";
import { ROLES, type Role } from "@/domain/permissions";
import { now } from "./clusters";

const NAMES: Record<Role, string> = {
  viewer: "vera",
  operator: "olaf",
  approver: "anna",
  admin: "operator-1",
};

/** As in backend/common/roles.py: each role has what the one before it has, and more. */
const ADDED: Record<Role, CurrentUser["permissions"]> = {
  viewer: ["read", "session", "tokens"],
  operator: ["lookup", "plan", "run", "lab"],
  approver: ["approve"],
  admin: ["clusters", "links", "users"],
};

export const isRole = (value: string): value is Role => ROLES.some((role) => role === value);

export const currentUser = (role: Role): CurrentUser => ({
  username: NAMES[role],
  role,
  permissions: ROLES.slice(0, ROLES.indexOf(role) + 1).flatMap((each) => ADDED[each]),
  demo: true,
  server_time: now(),
  version: "0.1.0",
});
