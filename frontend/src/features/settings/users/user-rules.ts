import type { UpdateUserRequest, User } from "@/api/types";

/** "root, deploy" -> ["root", "deploy"]: accounts of the Hawser host, without duplicates. */
export const hostAccounts = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter(Boolean)),
];

const APPROVING = ["approver", "admin"];

/** Whether the role of the user includes approvals. */
export const mayApprove = (user: User): boolean => APPROVING.includes(user.role);

/** When the user's approvals begin to count; null where they count already or never will. */
export function countsFrom(user: User, nowMs: number): string | null {
  return mayApprove(user) && user.is_active && Date.parse(user.second_person_from) > nowMs
    ? user.second_person_from
    : null;
}

/** The sessions and tokens that a change ends. */
export function sideEffect(change: UpdateUserRequest): string {
  return change.password !== undefined || change.role !== undefined || change.is_active === false
    ? "All sessions and tokens of this user have ended."
    : "";
}
