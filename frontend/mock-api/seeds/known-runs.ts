/** Runs that exist from the start, newest first. Each is created at every read: it knows the time. */
import type { Approval, Run } from "@/api/types";
import { ago } from "./clusters";
import { switchover } from "./known-plans";
import { makePlan } from "./plans";
import { runAt } from "./runs";

const DAY_MS = 86_400_000;
const PAST_RUNS = 24;

const exception: Approval = {
  round: 1,
  approver: "break-glass deploy",
  comment: "INC-4211: no other approver could be reached for 20 minutes",
  at: ago(5000),
  is_exception: true,
  reviewed_by: "",
  reviewed_at: null,
  review_comment: "",
  counts: true,
};

/** Nothing of it has been sent yet. */
function waitingRun(): Run {
  const plan = switchover("p_waiting");
  const run = runAt("r_waiting", plan, Date.now(), plan.reason);
  return {
    ...run,
    state: "waiting_approval",
    requested_by: "olaf",
    created_at: ago(240),
    started_at: null,
    approval_expires_at: ago(-3360),
    approvals_needed: 2,
    approvals_missing: 2,
    steps: run.steps.map((step) => ({
      ...step,
      state: "pending",
      started_at: null,
      statements: [],
    })),
    outcome: "Waiting for the approval of a second person.",
  };
}

const pastRun = (id: string, ageMs: number, over: Partial<Run> = {}): Run => ({
  ...runAt(id, makePlan("p_used", "", {}), Date.now() - ageMs, "INC-4211: db-a1 lost its disk"),
  ...over,
});

/** A run that stopped in its fourth step. */
function stoppedRun(id: string, state: "failed" | "needs_operator", outcome: string): Run {
  const run = pastRun(id, 600_000);
  return {
    ...run,
    state,
    outcome,
    next_action: "Check db-b1, then recheck the nodes and resume the run.",
    ended_at: state === "failed" ? run.ended_at : null,
    verification: null,
    steps: run.steps.map((step, index) =>
      index < 3
        ? step
        : {
            ...step,
            state: index === 3 ? "failed" : "pending",
            outcome: index === 3 ? "The channel did not start." : "",
            started_at: index === 3 ? step.started_at : null,
            ended_at: null,
            statements: index === 3 ? step.statements : [],
          },
    ),
  };
}

/** The forward direction failed past the point of no return; the run started the reverse one all the same. */
function givenBackRun(): Run {
  const run = stoppedRun(
    "r_given_back",
    "needs_operator",
    "Stopped at step 4 (Start the forward channel, wait for the first transaction): db-b1 does not connect to db-a2 (error 2003). The forward channel does not replicate until then. The reverse channel, which this run had stopped, was started again at its proven position.",
  );
  return {
    ...run,
    next_action:
      "The point of no return has been passed. Fix the cause and resume the run (it rechecks the nodes first), or create a new plan.",
    point_of_no_return_passed: true,
    can_abort: false,
    steps: run.steps.map((step) =>
      step.code === "change_reverse" || step.code === "start_reverse"
        ? { ...step, state: "succeeded", outcome: "no warnings · read back equal" }
        : step.state === "failed"
          ? { ...step, outcome: "db-b1 does not connect to db-a2 (error 2003)." }
          : step,
    ),
  };
}

/** By id, as functions of the moment. */
export const knownRuns = (): [string, () => Run][] => [
  ["r_waiting", waitingRun],
  [
    "r_exception",
    () => pastRun("r_exception", 5_000_000, { requested_by: "olaf", approvals: [exception] }),
  ],
  [
    "r_needs_operator",
    () => stoppedRun("r_needs_operator", "needs_operator", "db-b1 was lost in step 4."),
  ],
  ["r_given_back", givenBackRun],
  ["r_failed", () => stoppedRun("r_failed", "failed", "The forward channel did not start.")],
  ...Array.from({ length: PAST_RUNS }, (_, i): [string, () => Run] => [
    `r_past_${i + 1}`,
    () => pastRun(`r_past_${i + 1}`, DAY_MS * (i + 1)),
  ]),
];
