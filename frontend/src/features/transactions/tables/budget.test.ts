import { describe, expect, it } from "vitest";
import { DEFAULT_BUDGET, loadText, requestOf, valuesOf } from "./budget";

describe("the budget of a comparison", () => {
  it("test_request__names_with_empty_lines__one_name_each", () =>
    expect(requestOf({ ...DEFAULT_BUDGET, only: " shop \n\ncrm.people\n" }).only).toEqual([
      "shop",
      "crm.people",
    ]));
  it("test_values__of_a_request__make_that_request", () => {
    const request = { every_node: false, only: ["shop", "crm"], rows_per_s: 10, busy_percent: 5 };
    expect(requestOf(valuesOf(request))).toEqual(request);
  });
  it("test_load__limits__how_long_a_million_rows_take_at_least", () =>
    expect(loadText(DEFAULT_BUDGET)).toMatch(/at most 20,000 a second.*at most 20 %.*50 s\./));
  it("test_load__no_rows_entered__no_time_is_claimed", () =>
    expect(loadText({ ...DEFAULT_BUDGET, rows_per_s: "" })).not.toMatch(/million/));
});
