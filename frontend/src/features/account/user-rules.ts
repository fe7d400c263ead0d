import type { UpdateUserRequest, User } from "@/api/types";

/** "root, deploy" -> ["root", "deploy"]: accounts of the console's host, each once. */
export const hostAccounts = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter(Boolean)),
];

const APPROVING = ["approver", "admin"];

export const mayApprove = (user: User): boolean => APPROVING.includes(user.role);

/** From when the person counts as a second one, if that is still to come; null where it counts or never will. */
export function countsFrom(user: User, nowMs: number): string | null {
  return mayApprove(user) && user.is_active && Date.parse(user.second_person_from) > nowMs
    ? user.second_person_from
    : null;
}

/** What a change does at once beside what it says: sessions and tokens that end. */
export function sideEffect(change: UpdateUserRequest): string {
  return change.password !== undefined || change.role !== undefined || change.is_active === false
    ? "All sessions and tokens of this person have ended."
    : "";
}
