import type { CurrentUser, ProtectedChange, Run, Waiting } from "@/api/types";
import { pluralize } from "@/lib/format/number";

/** How many decisions need a second user. */
export const pendingCount = ({ runs, changes, exceptions }: Waiting): number =>
  runs.length + changes.length + exceptions.length;

export const APPROVAL_RULE_OFF = "approval_rule_off";
export const APPROVAL_RULE_WEAKENED = "approval_rule_weakened";
export const LINK_RETIREMENT = "link_retirement";

/** Changes of this user, link or token that are not in effect yet; only those of a kind where one is named. */
export const changesAbout = (
  waiting: Waiting | undefined,
  target: string,
  kind?: string,
): readonly ProtectedChange[] =>
  waiting?.changes.filter(
    (change) => change.target === target && (kind === undefined || change.kind === kind),
  ) ?? [];

const isSameUser = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Why this user cannot confirm the change as the second administrator; null if they can. */
export function confirmRefusal(change: ProtectedChange, me: CurrentUser): string | null {
  if (me.role !== "admin") return "Only an administrator can confirm this change.";
  if (isSameUser(change.requested_by, me.username))
    return "You requested this change. Another administrator must confirm the change.";
  if (isSameUser(change.target, me.username))
    return "This change is about your account. Another administrator must confirm the change.";
  return null;
}

/** Why this user cannot review a run that they requested or started; null if they can. */
export function reviewRefusal(usernames: readonly string[], me: CurrentUser): string | null {
  if (me.role !== "approver" && me.role !== "admin")
    return "Only a user with the approver role can review the exception.";
  return usernames.some((name) => isSameUser(name, me.username))
    ? "You requested the run or made the exception. Another user must review the exception."
    : null;
}

/** What a rejection of the change does. */
export function rejectEffect({ kind, target }: ProtectedChange): string {
  switch (kind) {
    case "os_user_mapped":
      return "Rejecting the change removes the mapping of the host accounts that is not in effect yet.";
    case "approver_token_made":
      return "Rejecting the change revokes the token.";
    case APPROVAL_RULE_OFF:
      return "Rejecting the change keeps the approval rule on.";
    case APPROVAL_RULE_WEAKENED:
      return "Rejecting the change keeps the approval rule as it is.";
    case LINK_RETIREMENT:
      return "Rejecting the change keeps the link.";
    default:
      return `Rejecting the change disables ${target}, ends its sessions and revokes its tokens.`;
  }
}

/** Seconds until a moment by the server's clock; 0 where it has passed, null where there is none. */
export function secondsUntil(at: string | null, nowMs: number): number | null {
  return at === null ? null : Math.max(0, (Date.parse(at) - nowMs) / 1000);
}

interface ApprovalCount {
  approvals_needed: number;
  approvals_missing: number;
}

/** How many approvals the run has of how many. */
export const approvalProgress = ({ approvals_needed, approvals_missing }: ApprovalCount): string =>
  `${approvals_needed - approvals_missing} of ${pluralize(approvals_needed, "approval")} given.`;

/** The exception from approval by a second user, first one without a review; null where there is none. */
export const exceptionOf = (run: Run) =>
  run.approvals.find((approval) => approval.is_exception && approval.reviewed_at === null) ??
  run.approvals.find((approval) => approval.is_exception) ??
  null;
