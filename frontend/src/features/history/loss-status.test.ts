import { describe, expect, it } from "vitest";
import { lossStatus } from "./loss-status";

const loss = (state: Parameters<typeof lossStatus>[0]["state"], transactions: number | null) =>
  lossStatus({ state, transactions, seconds: null, sentence: "" });

describe("lossStatus", () => {
  it.each([
    ["none_verified", 0, "ok", "none, verified"],
    ["counted", 0, "warn", "none known"],
    ["counted", 3, "bad", "3 transactions"],
    ["stated", 0, "warn", "only stated"],
    ["unknown", null, "unknown", "unknown"],
    ["not_started", null, "neutral", "none: not started"],
  ] as const)("%s of %s is %s", (state, transactions, tone, word) => {
    expect(loss(state, transactions)).toEqual({ tone, word });
  });
});
