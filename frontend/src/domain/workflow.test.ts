import { describe, expect, it } from "vitest";
import {
  adjacentStep,
  isRunFinished,
  stepBlockedReason,
  WORKFLOW_STEPS,
  type WorkflowState,
  workflowSteps,
} from "./workflow";

const none: WorkflowState = { linkId: "l_1", plan: null, run: null };
const withPlan = (state: "ready" | "refused" | "expired" | "used"): WorkflowState => ({
  ...none,
  plan: { id: "p_1", state },
});
const withRun = (state: string): WorkflowState => ({
  ...withPlan("used"),
  run: { id: "r_1", state },
});

describe("the flow's guards", () => {
  it("test_guards__no_plan__first_three_pages_open", () => {
    expect(
      WORKFLOW_STEPS.filter(({ step }) => stepBlockedReason(step, none) === null).map(
        ({ step }) => step,
      ),
    ).toEqual(["situation", "target", "checks"]);
  });
  it("test_guards__ready_plan__open_up_to_confirm", () => {
    expect(
      WORKFLOW_STEPS.filter(({ step }) => stepBlockedReason(step, withPlan("ready")) === null).map(
        ({ step }) => step,
      ),
    ).toEqual(["situation", "target", "checks", "proof", "plan", "confirm"]);
  });
  it.each(["refused", "expired", "used"] as const)(
    "test_guards__%s_plan__cannot_be_confirmed_but_can_be_read",
    (state) => {
      expect(stepBlockedReason("confirm", withPlan(state))).toMatch(/plan/i);
      expect(stepBlockedReason("proof", withPlan(state))).toBeNull();
    },
  );
  it("test_guards__running__result_closed", () => {
    expect(stepBlockedReason("run", withRun("running"))).toBeNull();
    expect(stepBlockedReason("result", withRun("running"))).not.toBeNull();
  });
  it.each(["succeeded", "failed", "aborted", "needs_operator"])(
    "test_guards__%s__result_open",
    (state) => {
      expect(isRunFinished(state)).toBe(true);
      expect(stepBlockedReason("result", withRun(state))).toBeNull();
    },
  );
  it("test_crumbs__at_proof__behind_now_ahead", () => {
    expect(workflowSteps("proof", withPlan("ready")).map((crumb) => crumb.state)).toEqual(
      "done done done now ahead ahead ahead ahead".split(" "),
    );
  });
  it("test_crumbs__refused_plan_read_on__checks_refused_and_nothing_behind_them_done", () => {
    expect(workflowSteps("plan", withPlan("refused")).map((crumb) => crumb.state)).toEqual(
      "done done refused ahead now ahead ahead ahead".split(" "),
    );
  });
  it("test_crumbs__cleaning__nothing_to_choose_or_locate", () => {
    for (const kind of ["remove_stray_channel", "remove_channels"])
      expect(workflowSteps("checks", none, kind).map((crumb) => crumb.step)).toEqual(
        "situation checks plan confirm run result".split(" "),
      );
  });
  it("test_crumbs__failback__nothing_to_choose_but_a_proof", () => {
    expect(workflowSteps("situation", none, "failback").map((crumb) => crumb.step)).toEqual(
      "situation checks proof plan confirm run result".split(" "),
    );
  });
  it("test_beside__kinds_without_a_page__step_over_it", () => {
    expect(adjacentStep("failback", "checks", -1)).toBe("situation");
    expect(adjacentStep("switchover", "checks", -1)).toBe("target");
    expect(adjacentStep("remove_stray_channel", "checks", 1)).toBe("plan");
    expect(adjacentStep("relocate", "result", 1)).toBe("result");
  });
});
