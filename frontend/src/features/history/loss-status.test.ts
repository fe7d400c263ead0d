import { describe, expect, it } from "vitest";
import { lossStatus } from "./loss-status";

const unknown = {
  seconds: null,
  sentence: "",
  at_least: null,
  read_at: null,
  is_exact: false,
  counted_by: null,
  replayed: null,
};
const loss = (
  state: Parameters<typeof lossStatus>[0]["state"],
  transactions: number | null,
  orphaned: number | null = null,
) => lossStatus({ ...unknown, state, transactions, orphaned });

describe("lossStatus", () => {
  it.each([
    ["none_verified", 0, "ok", "none, verified"],
    ["counted", 0, "warn", "none known"],
    ["counted", 3, "bad", "at least 3 transactions"],
    ["orphaned", 3, "bad", "3 transactions, orphaned"],
    ["orphaned", 0, "ok", "none, counted"],
    ["settled", 3, "bad", "3 transactions"],
    ["settled", 0, "ok", "none, counted"],
    ["settled", null, "unknown", "unknown"],
    ["stated", 0, "warn", "only stated"],
    ["unknown", null, "unknown", "unknown"],
    ["not_started", null, "neutral", "none: not started"],
  ] as const)("%s of %s is %s", (state, transactions, tone, word) => {
    expect(loss(state, transactions)).toEqual({ tone, word });
  });

  it("of orphans that all were replayed is none", () => {
    expect(loss("settled", 0, 26)).toEqual({ tone: "ok", word: "none, all replayed" });
  });
});
