import { describe, expect, it } from "vitest";
import { lastGood, latestByKind, rehearsedWords } from "./rehearsed";

const NOW = Date.parse("2026-11-21T02:00:00Z");
const entry = (kind: string, state: "passed" | "failed", daysAgo: number) => ({
  kind,
  state,
  at: new Date(NOW - daysAgo * 86_400_000).toISOString(),
});

describe("rehearsals", () => {
  it("test_latest__any_order__newest_of_each_kind", () => {
    const latest = latestByKind([
      entry("failover", "failed", 1),
      entry("failover", "passed", 9),
      entry("relocate", "passed", 3),
    ]);
    expect([...latest].map(([kind, e]) => [kind, e.state])).toEqual([
      ["failover", "failed"],
      ["relocate", "passed"],
    ]);
  });
  it("test_words__passed_failed_never__told_apart", () => {
    expect(rehearsedWords(entry("x", "passed", 3), NOW).words).toBe("rehearsed 3 d ago");
    expect(rehearsedWords(entry("x", "failed", 3), NOW)).toEqual({
      tone: "bad",
      words: "rehearsal failed 3 d ago",
    });
    expect(rehearsedWords(undefined, NOW).words).toBe("never rehearsed");
  });
  it("test_last_good__only_failures__none", () => {
    expect(lastGood([entry("x", "failed", 1)])).toBeNull();
    expect(lastGood([entry("x", "failed", 1), entry("x", "passed", 5)])).toBe(
      entry("x", "passed", 5).at,
    );
  });
});
