/** Rules and changes that wait for a second person. */
import type { ProtectedChange } from "@/api/types";
import { ago } from "./clusters";

export interface PendingApprovals {
  /** Links whose runs need a second person. */
  ruled: string[];
  changes: ProtectedChange[];
}

const change = (
  id: string,
  kind: string,
  target: string,
  requested_by: string,
  summary: string,
): ProtectedChange => ({
  id,
  kind,
  target,
  summary,
  state: "waiting",
  requested_by,
  requested_at: ago(3000),
  effective_at: ago(-83_400),
  decided_by: "",
  decided_at: null,
  comment: "",
});

export const newPendingApprovals = (): PendingApprovals => ({
  ruled: ["l_ledger"],
  changes: [
    change(
      "c_1",
      "approver_added",
      "anna",
      "second-admin",
      "anna (approver) was added by second-admin and is to count as a second person.",
    ),
    change(
      "c_2",
      "approval_rule_off",
      "l_ledger",
      "operator-1",
      "operator-1 requests that runs on ledger no longer need the approval of a second person.",
    ),
  ],
});

/** Announce a change as the server does; the moment it takes effect. */
export function holdBack(
  world: { waiting: PendingApprovals },
  kind: string,
  target: string,
  summary: string,
): string {
  const made = {
    ...change(`c_${world.waiting.changes.length + 3}`, kind, target, "operator-1", summary),
    requested_at: ago(0),
    effective_at: ago(-86_400),
  };
  world.waiting.changes.push(made);
  return made.effective_at;
}
