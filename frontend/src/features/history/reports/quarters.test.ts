import { describe, expect, it } from "vitest";
import { lastQuarter, recentQuarters } from "./quarters";

describe("recentQuarters", () => {
  it("begins with the current quarter and goes back over the turn of the year", () => {
    const found = recentQuarters(Date.UTC(2026, 1, 10));
    expect(found.map(({ label }) => label)).toEqual(["Q1 2026", "Q4 2025", "Q3 2025", "Q2 2025"]);
    expect(found[1]).toEqual({
      label: "Q4 2025",
      since: "2025-10-01T00:00:00Z",
      until: "2026-01-01T00:00:00Z",
    });
  });

  it("takes the last whole quarter where none is named", () => {
    expect(lastQuarter(Date.UTC(2026, 0, 1)).label).toBe("Q4 2025");
  });

  it("has no gap between two quarters", () => {
    const found = recentQuarters(Date.UTC(2026, 11, 31, 23, 59));
    for (const [index, { since }] of found.entries())
      if (index + 1 < found.length) expect(found[index + 1]?.until).toBe(since);
  });
});
