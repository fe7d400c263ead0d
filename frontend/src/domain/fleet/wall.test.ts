import { describe, expect, it } from "vitest";
import type { LinkRow } from "@/api/types";
import { backlogText, columnsFor, stateCounts } from "./wall";

const forward = { source_name: "a", replica_name: "b", state: "running", error: "" } as const;

describe("the wall", () => {
  it("test_wall__states__the_worst_first_with_their_numbers", () => {
    const rows = ["protected", "broken", "protected", "unknown"].map((state) => ({ state }));
    expect(stateCounts(rows as LinkRow[]).map(({ word, count }) => `${count} ${word}`)).toEqual([
      "1 Broken",
      "1 Unknown",
      "2 Protected",
    ]);
  });
  it("test_wall__backlog__unknown_is_not_none", () => {
    expect(backlogText(null)).toBe("no forward channel");
    expect(backlogText({ ...forward, gap_transactions: 0, gap_at_least: 0, lag_s: 0 })).toBe(
      "in sync",
    );
    expect(backlogText({ ...forward, gap_transactions: null, gap_at_least: null, lag_s: 0 })).toBe(
      "gap unknown · lag unknown",
    );
    expect(
      backlogText({
        ...forward,
        state: "broken",
        gap_transactions: 0,
        gap_at_least: 0,
        lag_s: null,
      }),
    ).toBe("broken · 0 behind");
  });
  it("test_wall__columns__as_many_as_make_square_tiles", () =>
    expect([1, 2, 4, 6, 12, 20].map(columnsFor)).toEqual([1, 2, 2, 3, 4, 5]));
});
