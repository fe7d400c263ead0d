import type { CurrentUser, ProtectedChange, Run, Waiting } from "@/api/types";

/** How many decisions wait for a second person. */
export const pendingCount = ({ runs, changes, exceptions }: Waiting): number =>
  runs.length + changes.length + exceptions.length;

/** Changes of this user, link or token that are held back. */
export const changesAbout = (
  waiting: Waiting | undefined,
  target: string,
): readonly ProtectedChange[] =>
  waiting?.changes.filter((change) => change.target === target) ?? [];

const isSamePerson = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Why this person cannot be the second administrator of the change, as far as the page can tell; null if he may. */
export function confirmRefusal(change: ProtectedChange, me: CurrentUser): string | null {
  if (me.role !== "admin") return "An administrator confirms this.";
  if (isSamePerson(change.requested_by, me.username))
    return "You asked for this change yourself, so another administrator must confirm it.";
  if (isSamePerson(change.target, me.username))
    return "The change is about yourself, so another administrator must confirm it.";
  return null;
}

/** Why this person cannot review a run that he asked for or let begin; null if he may. */
export function reviewRefusal(people: readonly string[], me: CurrentUser): string | null {
  if (me.role !== "approver" && me.role !== "admin")
    return "Somebody with the approver role reviews this.";
  return people.some((name) => isSamePerson(name, me.username))
    ? "You asked for the run or made the exception, so somebody else must review it."
    : null;
}

/** What becomes of the target where the change is rejected. */
export function rejectEffect({ kind, target }: ProtectedChange): string {
  switch (kind) {
    case "os_user_mapped":
      return "Rejecting it forgets the accounts of the host that do not count yet.";
    case "approver_token_made":
      return "Rejecting it revokes the token.";
    case "approval_rule_off":
      return "Rejecting it leaves the rule on.";
    default:
      return `Rejecting it disables ${target} and ends all sessions and tokens of that account.`;
  }
}

/** Seconds until a moment by the server's clock; null where there is none, 0 where it is over. */
export function secondsUntil(at: string | null, nowMs: number): number | null {
  return at === null ? null : Math.max(0, (Date.parse(at) - nowMs) / 1000);
}

/** The approval that was given without a second person; null where none was. */
export const exceptionOf = (run: Run) =>
  run.approvals.find((approval) => approval.is_exception && approval.reviewed_at === null) ??
  run.approvals.find((approval) => approval.is_exception) ??
  null;
