import { LAB_STATES } from "@mock/seeds/lab-states";
import { describe, expect, it } from "vitest";
import { sidesOf } from "./sides";

const told = (state: keyof typeof LAB_STATES, stale = false) =>
  sidesOf(LAB_STATES[state](), stale, ({ age_s }) => age_s).map(
    ({ role, status, fence }) => `${role}, ${status.word}, ${fence.words}: ${fence.tone}`,
  );

describe("sidesOf", () => {
  it("test_sides__lost_side_writable_again__bad", () =>
    expect(told("returned-writable")).toEqual([
      "invalidated, Primary, writable: bad",
      "active, Primary, writable: ok",
    ]));
  it("test_sides__active_side_fenced__bad_and_a_part_of_it_a_warning", () => {
    expect(told("active-fenced")[0]).toBe("active, Primary, fenced: bad");
    expect(told("active-half-fenced")[0]).toBe("active, Degraded, fenced 1 of 3, 1 unknown: warn");
  });
  it("test_sides__no_primary_component__takes_no_writes_though_not_fenced", () =>
    expect(told("non-primary")[0]).toBe("active, Non-Primary, no writes: non-Primary: bad"));
  it("test_sides__no_answer__status_and_fence_unknown", () =>
    expect(told("healthy", true)).toEqual([
      "active, Unknown, fence unknown: unknown",
      "standby, Unknown, fence unknown: unknown",
    ]));
  it("test_sides__roles_swapped__the_home_site_stays_left", () =>
    expect(told("swapped")[0]).toMatch(/^standby/));
});
