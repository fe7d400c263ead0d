import { describe, expect, it } from "vitest";
import { lossFigure, lossNote } from "./divergence-loss";

const loss = { transactions: 0, planned_transactions: 569, seconds: 2, detail: "" };

describe("the loss of a failover", () => {
  it("is what was counted after the drain, beside the bound of the plan", () => {
    expect(lossFigure(loss)).toBe("0 transactions");
    expect(lossNote(loss)).toMatch(/^after the drain; the plan stated at most 569; counted from/);
  });

  it("is the maximum of the plan where it was not counted", () => {
    const uncounted = { ...loss, transactions: null };
    expect(lossFigure(uncounted)).toBe("at most 569 transactions");
    expect(lossNote(uncounted)).toMatch(/^not counted after the drain/);
    expect(lossFigure({ ...uncounted, planned_transactions: null })).toBe("unknown");
  });
});
