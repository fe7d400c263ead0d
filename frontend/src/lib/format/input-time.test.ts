import { describe, expect, it } from "vitest";
import { fromInputTime, rangeEnd, rangeStart, toInputTime } from "./input-time";

describe("times of inputs", () => {
  it("test_to_input__utc__without_zone_and_seconds", () =>
    expect(toInputTime("2026-11-21T02:00:30Z", "utc")).toBe("2026-11-21T02:00"));
  it.each([undefined, "", "yesterday"])("test_to_input__%j__empty", (text) =>
    expect(toInputTime(text, "utc")).toBe(""),
  );
  it("test_from_input__utc__iso", () =>
    expect(fromInputTime("2026-11-21T02:00", "utc")).toBe("2026-11-21T02:00:00.000Z"));
  it.each(["utc", "local"] as const)("test_from_input__empty_in_%s__undefined", (zone) =>
    expect(fromInputTime("", zone)).toBeUndefined(),
  );
  it("test_round_trip__local__same_moment", () => {
    const iso = "2026-07-21T02:00:00.000Z";
    expect(fromInputTime(toInputTime(iso, "local"), "local")).toBe(iso);
  });
  it.each([
    ["2026-03-29T00:30:00.000Z", "2026-03-29T01:30"],
    ["2026-03-29T01:30:00.000Z", "2026-03-29T03:30"],
    ["2026-10-25T02:30:00.000Z", "2026-10-25T03:30"],
  ])("test_round_trip__%s_around_a_change_of_clocks__same_moment", (iso, text) => {
    const rome = { timeZone: "Europe/Rome", is12h: false };
    expect(toInputTime(iso, rome)).toBe(text);
    expect(fromInputTime(text, rome)).toBe(iso);
  });
  it("test_range_start__an_hour__cut_to_the_minute", () =>
    expect(rangeStart(3_600_000, Date.parse("2026-11-21T02:00:59Z"))).toBe(
      "2026-11-21T01:00:00.000Z",
    ));
  it("test_range_end__half_an_hour__rounded_up_to_the_minute", () =>
    expect(rangeEnd(1_800_000, Date.parse("2026-11-21T02:00:01Z"))).toBe(
      "2026-11-21T02:31:00.000Z",
    ));
});
