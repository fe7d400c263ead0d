import { describe, expect, it } from "vitest";
import { lossFigure, lossNote } from "./divergence-loss";

const loss = {
  transactions: 20,
  planned_transactions: 569,
  seconds: 2,
  detail: "",
  at_least: 20,
  read_at: "2026-11-29T06:32:53Z",
  is_exact: false,
  counted_by: "logs_read" as const,
  orphaned: null,
};

describe("the loss of a failover", () => {
  it("is a lower bound until the lost side returns", () => {
    expect(lossFigure(loss)).toBe("at least 20 transactions");
    expect(lossNote(loss)).toBe("not yet counted exactly; 569 before the drain; last read");
    expect(lossFigure({ ...loss, transactions: 0, at_least: 0 })).toBe("none known");
  });

  it("is unknown where nothing could be counted", () => {
    const uncounted = { ...loss, transactions: null, at_least: null };
    expect(lossFigure(uncounted)).toBe("unknown");
    expect(lossNote(uncounted)).toMatch(/^not counted after the drain/);
  });

  it("is exact once the orphans are counted", () => {
    const exact = { ...loss, at_least: 26, orphaned: 26, is_exact: true };
    expect(lossFigure(exact)).toBe("26 transactions");
    expect(lossNote(exact)).toMatch(/^counted on the side that returned/);
  });
});
