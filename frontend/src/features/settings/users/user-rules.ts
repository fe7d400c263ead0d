import type { SecondFactors, UpdateUserRequest, User } from "@/api/types";
import { pluralize } from "@/lib/format/number";

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

/** "1 authenticator app, 2 passkeys"; empty without one. */
export function factorCounts({ app, passkeys }: SecondFactors): string {
  const counts = [
    app ? pluralize(1, "app") : "",
    passkeys.length > 0 ? pluralize(passkeys.length, "passkey") : "",
  ];
  return counts.filter(Boolean).join(", ");
}

/** What a change ends: sessions and tokens, and second factors where that was asked for. */
export function sideEffect(change: UpdateUserRequest): string {
  if (change.ends_factors)
    return "All sessions, tokens and second factors of this user have ended.";
  return change.password !== undefined || change.role !== undefined || change.is_active === false
    ? "All sessions and tokens of this user have ended."
    : "";
}
