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
  it.each([
    [null, "no forward channel"],
    [{ gap_transactions: 0, gap_at_least: 0, lag_s: 0 }, "in sync"],
    [{ gap_transactions: null, gap_at_least: null, lag_s: 0 }, "gap unknown · lag unknown"],
    [
      { state: "broken", gap_transactions: 0, gap_at_least: 0, lag_s: null } as const,
      "broken · 0 behind",
    ],
  ])("test_wall__backlog__unknown_is_not_none: %j", (channel, text) => {
    const row = { sentence: "", forward: channel && { ...forward, ...channel } };
    expect(backlogText(row)).toBe(text);
  });
  it("test_wall__backlog__says_as_the_sentence_that_rows_may_be_missing", () => {
    const sentence =
      "milan is writable. frankfurt has applied all that it received, and may lack rows.";
    const applied = { ...forward, gap_transactions: 0, gap_at_least: 0, lag_s: 0 };
    expect(backlogText({ sentence, forward: applied })).toBe("may lack rows");
  });
  it("test_wall__columns__as_many_as_make_square_tiles", () =>
    expect([1, 2, 4, 6, 12, 20].map(columnsFor)).toEqual([1, 2, 2, 3, 4, 5]));
});
