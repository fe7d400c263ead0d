/** What waits for a second person in the API from memory. */
import type { Approval, Plan, ProtectedChange, Run } from "@/api/types";
import { runOperation } from "../run-operation";
import { ago } from "./clusters";
import { makePlan } from "./plans";
import { runAt } from "./runs";

export interface PendingApprovals {
  /** Links whose runs need a second person. */
  ruled: string[];
  /** Runs that wait for an approval, or that began without one. */
  runs: Run[];
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

const exception: Approval = {
  round: 1,
  approver: "break-glass deploy",
  comment: "INC-4211: nobody else could be reached by telephone for 20 minutes",
  at: ago(5000),
  is_exception: true,
  reviewed_by: "",
  reviewed_at: null,
  review_comment: "",
};

const waitingPlan = runOperation("p_waiting", "switchover", "CHG-2210: maintenance in Milan", {
  attest_accounts: true,
});
const exceptionPlan = makePlan("p_exception", "INC-4211: db-a1 lost its disk", {});

/** Plans behind the runs here. */
export const plansBehind = (): Plan[] =>
  [waitingPlan, exceptionPlan].map((plan) => ({ ...plan, state: "used" }));

/** Nothing of it has been sent yet. */
function waitingRun(): Run {
  const run = runAt("r_waiting", waitingPlan, Date.now(), waitingPlan.reason);
  return {
    ...run,
    state: "waiting_approval",
    requested_by: "olaf",
    created_at: ago(240),
    started_at: null,
    approval_expires_at: ago(-3360),
    steps: run.steps.map((step) => ({
      ...step,
      state: "pending",
      started_at: null,
      statements: [],
    })),
    outcome: "Waiting for the approval of a second person.",
  };
}

const exceptionRun = (): Run => ({
  ...runAt("r_exception", exceptionPlan, Date.now() - 5_000_000, exceptionPlan.reason),
  requested_by: "olaf",
  approvals: [exception],
});

export const newPendingApprovals = (): PendingApprovals => ({
  ruled: ["l_ledger"],
  runs: [waitingRun(), exceptionRun()],
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
