import { describe, expect, it } from "vitest";
import { rehearsalOutcome, rehearsalSummary } from "./rehearsal-summary";

const NOW = Date.parse("2026-11-21T02:00:00Z");
const tried = (ok: boolean, daysAgo: number) => ({
  rehearsed_at: new Date(NOW - daysAgo * 86_400_000).toISOString(),
  rehearsed_ok: ok,
});
const never = { rehearsed_at: null, rehearsed_ok: null };

describe("rehearsals", () => {
  it("test_words__passed_failed_never__told_apart", () => {
    expect(rehearsalOutcome(tried(true, 3), NOW).words).toBe("rehearsed 3 d ago");
    expect(rehearsalOutcome(tried(false, 3), NOW)).toEqual({
      tone: "bad",
      words: "rehearsal failed 3 d ago",
    });
    expect(rehearsalOutcome(never, NOW).words).toBe("never rehearsed");
  });
  it("test_line__some_failed__latest_good_and_the_failures_by_name", () =>
    expect(
      rehearsalSummary(
        [
          ["Relocate", tried(true, 9)],
          ["Switchover", tried(true, 5)],
          ["Failover", tried(false, 1)],
        ],
        NOW,
      ),
    ).toBe("last successful rehearsal 5 d ago; failed: failover"));
  it("test_line__nothing_tried__says_so", () =>
    expect(rehearsalSummary([["Relocate", never]], NOW)).toBe("no successful rehearsal yet"));
});
