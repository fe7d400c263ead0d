import { calm } from "@mock/seeds/links";
import { accountsOf } from "@mock/seeds/unaccounted";
import { describe, expect, it } from "vitest";
import {
  choiceOf,
  faultOf,
  lookupOf,
  rowKey,
  rowsOf,
  settlements,
  unlistedTexts,
} from "./unaccounted";

const link = calm();
const accounts = accountsOf(true, new Set());
const rows = rowsOf(accounts, link);

describe("transactions that are not on both sides", () => {
  it("test_rows__of_both_directions__named_by_sides_and_fault", () => {
    const told = rows.map((row) => [row.from, row.to, faultOf(row)]);
    expect(told).toEqual([
      ["milan", "frankfurt", "missing on frankfurt: shop.order_lines"],
      ["milan", "frankfurt", "missing on frankfurt"],
      ["frankfurt", "milan", "not sent by frankfurt"],
    ]);
  });

  it("test_fault__left_out_by_a_filter__said", () => {
    const filtered = { ...rows[0]!, fault: "filtered" as const, tables: [] };
    expect(faultOf(filtered)).toBe("missing on frankfurt, filtered");
  });

  it("test_lookup__of_a_row__asks_for_a_position_inside_the_transaction", () => {
    expect(lookupOf(link, rows[0]!)).toEqual({
      link: link.id,
      node: "n_a1",
      file: "mariadb-bin.000211",
      position: "884120911",
    });
  });

  it("test_settlements__both_directions__one_call_each_and_only_what_was_chosen", () => {
    const chosen = new Set([choiceOf(rows[1]!), choiceOf(rows[2]!)]);
    expect(settlements(accounts, rows, chosen)).toEqual([
      { direction: "forward", gtids: ["0-21-81245"], unlisted: 0 },
      { direction: "reverse", gtids: ["0-31-4711"], unlisted: 0 },
    ]);
  });

  it("test_gtid__twice_in_a_log__two_rows_and_one_choice", () => {
    const twice = [rows[2]!, { ...rows[2]!, position: 1, end_position: 2 }];
    expect(new Set(twice.map(rowKey)).size).toBe(2);
    expect(settlements(accounts, twice, new Set([choiceOf(twice[0]!)]))).toEqual([
      { direction: "reverse", gtids: ["0-31-4711"], unlisted: 0 },
    ]);
  });

  it.each([
    [
      "none",
      0,
      "Not listed: 1,204 more transactions of milan → frankfurt; settled with the last that is listed.",
    ],
    [
      "one of two",
      1,
      "Not listed: 1,204 more transactions of milan → frankfurt; settled with the last that is listed.",
    ],
    [
      "the last listed",
      2,
      "This also settles 1,204 transactions of milan → frankfurt that are not listed.",
    ],
  ])("test_more__%s_chosen__says_what_becomes_of_the_unlisted", (_, count, text) => {
    expect(unlistedTexts(accounts, link)).toEqual([]);
    const many = { ...accounts, forward: { ...accounts.forward, more: 1204 } };
    const calls = settlements(many, rows, new Set(rows.slice(0, count).map(choiceOf)));
    expect(calls.map(({ unlisted }) => unlisted)).toEqual([[], [0], [1204]][count]);
    expect(unlistedTexts(many, link, calls)).toEqual([text]);
  });
});
