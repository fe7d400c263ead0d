import { describe, expect, it } from "vitest";
import { entryStatus } from "./entry-status";

describe("entryStatus", () => {
  it.each([
    ["run", "succeeded", "ok", "run: succeeded"],
    ["run", "needs_operator", "bad", "run: needs an operator"],
    ["rehearsal", "passed", "ok", "rehearsal: passed"],
    ["rehearsal", "failed", "bad", "rehearsal: failed"],
    ["event", "unknown", "unknown", "event"],
    ["setting", "", "neutral", "setting"],
  ] as const)("%s %s", (kind, state, tone, word) => {
    expect(entryStatus({ kind, state })).toEqual({ tone, word });
  });
});
