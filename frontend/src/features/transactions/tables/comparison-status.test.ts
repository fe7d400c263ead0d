import { comparisons } from "@mock/seeds/table-comparisons";
import { describe, expect, it } from "vitest";
import type { TableComparison } from "@/api/types";
import { countsOf, keyText, progressText, statusOf } from "./comparison-status";

const [running] = comparisons();
const having = (more: Partial<TableComparison>): TableComparison => ({ ...running!, ...more });
const ENDED = { state: "finished", sentence: "", tables_different: 0 } as const;

describe("a comparison in words", () => {
  it.each([
    [{ sentence: "Waits: db-b1: no connection." }, "Waiting"],
    [{}, "Running"],
    [{ ...ENDED, tables_not_compared: 0 }, "Equal"],
    [{ ...ENDED, tables: 0, tables_not_compared: 0 }, "Not all compared"],
    [{ ...ENDED, tables_not_compared: 1 }, "Not all compared"],
    [{ ...ENDED, tables_different: 1, tables_not_compared: 1 }, "Different"],
  ] as const)("test_status__%j__%s", (more, word) =>
    expect(statusOf(having({ sentence: "", ...more })).word).toBe(word),
  );
  it("test_counts__no_different_table__left_out", () =>
    expect(
      countsOf(
        having({ tables: 9, tables_equal: 6, tables_different: 0, tables_not_compared: 1 }),
      ).map(({ word }) => word),
    ).toEqual(["1 table not, or not whole, compared", "6 tables equal", "2 tables open"]));
  it("test_progress__running__against_the_estimate", () =>
    expect(progressText(having({ rows: 1200, estimated_rows: 5000, remaining_s: 720 }))).toBe(
      "1,200 of about 5,000 rows, about 12 min left",
    ));
  it("test_progress__ended__the_estimate_says_nothing_more", () =>
    expect(progressText(having({ ...ENDED, rows: 1 }))).toBe("1 row compared"));
  it("test_key__two_columns__both_with_their_values", () =>
    expect(keyText({ id: 7, sku: "" })).toBe("id = 7, sku = ''"));
});
