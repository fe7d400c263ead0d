import { row } from "@mock/seeds/link-rows";
import { describe, expect, it } from "vitest";
import { adviceText } from "./advice";
import { visibleRows } from "./view";

const NONE = { high: 0, medium: 0, low: 0, unread_nodes: 0 };
const rows = [
  row("calm", { advice: NONE }),
  row("high", { advice: { ...NONE, high: 1, medium: 2 } }),
  row("low", { advice: { ...NONE, low: 3 } }),
  row("unknown", { advice: null }),
  row("unread", { advice: { ...NONE, unread_nodes: 1 } }),
];
const names = (view: Parameters<typeof visibleRows>[1]) =>
  visibleRows(rows, view).map(({ name }) => name);

describe("advice in the list of links", () => {
  it.each([
    ["high", ["high"]],
    ["open", ["high", "low"]],
    ["unknown", ["unknown", "unread"]],
  ] as const)("test_filter__%s", (advice, expected) => expect(names({ advice })).toEqual(expected));
  it("test_sort__the_highest_risk_first__unknown_is_worst", () =>
    expect(names({ sort: "advice", desc: true }).slice(0, 3)).toEqual([
      "unknown",
      "unread",
      "high",
    ]));
  it.each([
    ["calm", { tone: "ok", value: "none", note: "" }],
    ["high", { tone: "bad", value: "1 high", note: "2 medium" }],
    ["unknown", { tone: "unknown", value: "unknown", note: "" }],
    ["unread", { tone: "unknown", value: "unknown", note: "1 node not read" }],
  ])("test_text__%s__none_only_where_all_nodes_were_read", (name, expected) => {
    const found = rows.find((one) => one.name === name);
    expect(found && adviceText(found)).toEqual(expected);
  });
});
