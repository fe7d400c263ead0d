import { makePlan } from "@mock/seeds/plans";
import { runAt } from "@mock/seeds/runs";
import { describe, expect, it } from "vitest";
import type { Run, RunStep } from "@/api/types";
import { rolesAfter, writePause } from "./write-pause";

const T0 = Date.parse("2026-11-21T02:15:00.000Z");
const at = (ms: number | null) => (ms === null ? null : new Date(T0 + ms).toISOString());
const template = runAt("r", makePlan("p", "", {}), T0, "").steps[0]!;

function step(
  code: string,
  state: RunStep["state"],
  started: number | null,
  ended: number | null,
): RunStep {
  return { ...template, code, state, started_at: at(started), ended_at: at(ended) };
}

function run(steps: RunStep[], over: Partial<Run> = {}): Run {
  const base = runAt("r", makePlan("p", "", {}), Date.now(), "");
  return { ...base, kind: "switchover", verification: null, ended_at: null, steps, ...over };
}

const fenced = [step("fence", "succeeded", 0, 40), step("fence", "succeeded", 20, 60)];

describe("the write pause", () => {
  it("test_pause__measured_by_the_run__that_and_nothing_else", () => {
    const verification = { write_pause_ms: 812 } as Run["verification"];
    expect(writePause(run(fenced, { verification }), T0)).toEqual({
      ms: 812,
      measured: true,
      open: false,
    });
  });
  it("test_pause__opened__from_the_first_fence_until_all_is_open", () =>
    expect(
      writePause(
        run([
          ...fenced,
          step("swap_roles", "succeeded", 800, 850),
          step("unfence", "succeeded", 850, 900),
          step("unfence", "succeeded", 900, 1000),
        ]),
        T0 + 5000,
      ),
    ).toMatchObject({ ms: 1000, open: false }));
  it("test_pause__side_was_open_already__ends_with_the_swap", () =>
    expect(
      writePause(run([...fenced, step("swap_roles", "succeeded", 800, 850)]), T0 + 5000),
    ).toMatchObject({ ms: 850, open: false }));
  it("test_pause__not_opened_yet__still_counts", () =>
    expect(
      writePause(run([...fenced, step("unfence", "pending", null, null)]), T0 + 700),
    ).toMatchObject({
      ms: 700,
      open: true,
    }));
  it("test_pause__aborted__ends_with_the_run", () =>
    expect(
      writePause(run(fenced, { state: "aborted", ended_at: at(1500) }), T0 + 9000),
    ).toMatchObject({ ms: 1500, open: false }));
  it("test_pause__ended_and_nobody_knows_when_it_opened__not_guessed", () =>
    expect(
      writePause(run(fenced, { state: "needs_operator", ended_at: at(1500) }), T0 + 9000),
    ).toBeNull());
  it("test_pause__nothing_fenced_yet__none", () =>
    expect(writePause(run([step("fence", "pending", null, null)]), T0)).toBeNull());
});

describe("the roles", () => {
  it("test_roles__swap_not_reached__as_before", () =>
    expect(rolesAfter(run([step("swap_roles", "undone", 0, 1)]))).toBe("before"));
  it("test_roles__swapped__says_so", () =>
    expect(rolesAfter(run([step("swap_roles", "succeeded", 0, 1)]))).toBe("swapped"));
  it("test_roles__relocate__not_its_matter", () => expect(rolesAfter(run([]))).toBeNull());
});
