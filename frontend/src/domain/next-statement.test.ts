import { runOperation } from "@mock/run-operation";
import { makePlan } from "@mock/seeds/plans";
import { runAt } from "@mock/seeds/runs";
import { describe, expect, it } from "vitest";
import {
  abortSentence,
  firstChange,
  nextStep,
  pointOfNoReturn,
  undoSentence,
} from "./next-statement";

const plan = makePlan("p", "", {});
const T0 = Date.parse("2026-11-21T02:15:00.000Z");
const at = (number: number) => {
  const step = plan.steps[number - 1];
  if (!step) throw new Error(`no step ${number}`);
  return { step, number };
};

describe("the next statement", () => {
  it("test_first_change__plan__skips_what_only_reads", () =>
    expect(firstChange(plan)?.step.sql).toEqual(["STOP SLAVE"]));
  it("test_first_change__no_steps__null", () => expect(firstChange({ steps: [] })).toBeNull());
  it("test_undo__before_at_and_after_the_point_of_no_return__differs", () => {
    const boundary = pointOfNoReturn(plan)?.number ?? 0;
    expect([boundary - 1, boundary, boundary + 1].map((n) => undoSentence(plan, at(n)))).toEqual([
      "Yes: an abort undoes it.",
      "No: this is the point of no return.",
      "No: it is after the point of no return.",
    ]);
  });
  it("test_undo__fence_that_stays__an_abort_leaves_it", () => {
    const fence = runOperation("p", "fence_standby", "", {});
    const first = firstChange(fence);
    expect(first && undoSentence(fence, first)).toBe("No: an abort leaves it as it is.");
    expect(abortSentence(fence)).toContain("leaves what was changed");
    expect(abortSentence(runOperation("p", "configure", "", {}))).toContain(
      "every step can be undone",
    );
  });
  it("test_next_step__run_at_its_start__first_pending_one", () => {
    const run = runAt("r", plan, T0, "");
    const steps = run.steps.map((step, index) => ({
      ...step,
      state: index < 2 ? ("succeeded" as const) : ("pending" as const),
    }));
    expect(nextStep({ steps }, plan)?.number).toBe(3);
    expect(nextStep({ steps: [] }, plan)).toBeNull();
  });
});
