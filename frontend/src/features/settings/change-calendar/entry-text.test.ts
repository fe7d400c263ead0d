import { describe, expect, it } from "vitest";
import type { ChangeWindow } from "@/api/types";
import { asInstant, linksText, weeklyText } from "./entry-text";

const WINDOW: ChangeWindow = {
  id: "q_1",
  name: "night",
  reason: "low load",
  links: [],
  created_by: "anna",
  created_at: "2026-11-02T09:00:00Z",
  zone: "Europe/Berlin",
  weekdays: [5, 6],
  starts: "22:00:00",
  minutes: 240,
  opens_at: null,
  closes_at: null,
};

describe("entries of the change calendar", () => {
  it("says when a weekly window is open, and nothing of one that opens once", () => {
    expect(weeklyText(WINDOW)).toBe("Saturday, Sunday from 22:00 (Europe/Berlin) for 240 min");
    expect(weeklyText({ ...WINDOW, starts: null })).toBeNull();
  });
  it("names links, and says so where it applies to all", () => {
    expect(linksText([], [])).toBe("all links");
    expect(linksText(["l_1", "l_2"], [{ id: "l_1", name: "payments" }])).toBe("payments, l_2");
  });
  it("sends what is no time as it was entered", () => {
    expect(asInstant("soon")).toBe("soon");
    expect(asInstant("2026-11-02T10:00")).toMatch(/^2026-11-0\dT\d\d:00:00\.000Z$/);
  });
});
