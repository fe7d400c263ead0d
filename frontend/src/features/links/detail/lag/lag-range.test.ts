import { describe, expect, it } from "vitest";
import { moved, scaled, searchOf, spanOf } from "./lag-range";

const NOW = Date.parse("2026-11-26T04:00:00Z");
const HOUR = 3_600_000;

describe("the time in the address", () => {
  it("test_span__turned_around_or_half__counts_as_absent", () => {
    expect(spanOf({})).toEqual({ minutes: 15 });
    expect(spanOf({ minutes: 60, from: "2026-11-26T03:00:00Z" })).toEqual({ minutes: 60 });
    for (const minutes of [0, 1.5, -3, 1e9]) expect(spanOf({ minutes })).toEqual({ minutes: 15 });
    expect(spanOf({ from: "yesterday", to: "today" })).toEqual({ minutes: 15 });
    const turned = { from: "2026-11-26T03:00:00Z", to: "2026-11-26T02:00:00Z" };
    expect(spanOf(turned)).toEqual({ minutes: 15 });
  });

  it("test_search__any_time__is_in_the_past_and_can_be_seen", () => {
    const later = searchOf({ from: NOW, to: NOW + HOUR }, NOW);
    expect(later).toEqual({ from: "2026-11-26T03:00:00Z", to: "2026-11-26T04:00:00Z" });
    const point = searchOf({ from: NOW - HOUR, to: NOW - HOUR }, NOW);
    expect(point).toEqual({ from: "2026-11-26T02:59:55Z", to: "2026-11-26T03:00:05Z" });
    const long = searchOf(scaled({ from: NOW - 2000 * HOUR, to: NOW }, 4), NOW);
    expect(Date.parse(long.to ?? "") - Date.parse(long.from ?? "")).toBe(90 * 24 * HOUR);
  });

  it("test_move__by_half__keeps_the_length", () =>
    expect(moved({ from: 0, to: 10 }, -0.5)).toEqual({ from: -5, to: 5 }));
});
