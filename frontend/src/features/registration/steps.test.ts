import { expect, test } from "vitest";
import type { Registration } from "@/api/types";
import { firstOpenStep, isDone } from "./steps";

const draft = (must: string[], link_id: string | null = null) =>
  ({
    link_id,
    open_points: must.map((side) => ({ side, must: true })),
  }) as unknown as Registration;

test.each([
  { must: ["first", "second", "link"], step: "first" },
  { must: ["second"], step: "second" },
  { must: ["link"], step: "link" },
  { must: [], step: "review" },
])("test_registration__open_$must__continues_at_$step", ({ must, step }) => {
  expect(firstOpenStep(draft(must))).toBe(step);
});

test("test_registration__registered__continues_with_the_rehearsal", () => {
  const registered = draft([], "l_payments");
  expect(firstOpenStep(registered)).toBe("rehearsal");
  expect(isDone(registered, "review")).toBe(true);
});
