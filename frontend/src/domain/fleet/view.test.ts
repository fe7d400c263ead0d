import { row } from "@mock/seeds/link-rows";
import { describe, expect, it } from "vitest";
import type { LinkRow } from "@/api/types";
import { recoveryPointText, recoveryTimeText, rehearsalText } from "./texts";
import { asUnknown, defaultLayout, groupsOf, pairOf, sitesOf, visibleRows } from "./view";

const NOW = Date.parse("2026-11-26T12:00:00Z");

const down = row("payments", {
  state: "broken",
  urgency: 2,
  attention: [{ code: "link_down", sentence: "The channel is down." }],
});
const rows = [
  row("orders"),
  down,
  row("billing-10", {}, ["Oslo", "Rome"]),
  row("billing-9", {}, ["Rome", "Oslo"]),
];
const names = (found: readonly LinkRow[]) => found.map(({ name }) => name);

describe("visible rows", () => {
  it("test_default__what_needs_a_person_first__then_by_name_with_numbers_as_numbers", () =>
    expect(names(visibleRows(rows, {}))).toEqual([
      "payments",
      "billing-9",
      "billing-10",
      "orders",
    ]));
  it.each([
    [{ q: "rome bill" }, ["billing-9", "billing-10"]],
    [{ q: "DB-A1" }, ["payments", "billing-9", "billing-10", "orders"]],
    [{ site: "Oslo" }, ["billing-9", "billing-10"]],
    [{ pair: "Oslo ⇄ Rome", desc: true, sort: "site" }, ["billing-9", "billing-10"]],
    [{ state: "broken" }, ["payments"]],
    [{ attention: true }, ["payments"]],
    [{ q: "nothing" }, []],
  ] as const)("test_filter__%j", (view, expected) =>
    expect(names(visibleRows(rows, view))).toEqual(expected),
  );
  it.each(["lag", "gap", "recovery_point", "recovery_time", "rehearsal"] as const)(
    "test_sort__%s_unknown__counts_as_the_worst",
    (sort) => {
      const unknown = row("a", {
        forward: null,
        recovery_point: null,
        recovery_time: null,
        readiness: {},
      });
      expect(names(visibleRows([unknown, row("b")], { sort }))).toEqual(["b", "a"]);
      expect(names(visibleRows([unknown, row("b")], { sort, desc: true }))).toEqual(["a", "b"]);
    },
  );
});

describe("groups", () => {
  it("test_attention__first_what_needs_a_person", () =>
    expect(
      groupsOf(visibleRows(rows, {}), "attention").map((found) => [found.key, found.rows.length]),
    ).toEqual([
      ["attention", 1],
      ["calm", 3],
    ]));
  it("test_state__worst_first", () =>
    expect(groupsOf(rows, "state").map(({ key }) => key)).toEqual(["broken", "protected"]));
  it("test_pair__same_whichever_side_is_active", () => {
    expect(groupsOf(rows, "pair").map(({ key }) => key)).toEqual([
      "Frankfurt ⇄ Milan",
      "Oslo ⇄ Rome",
    ]);
    expect(pairOf(down)).toBe("Frankfurt ⇄ Milan");
  });
  it("test_none__one_group", () => expect(groupsOf(rows, "none")).toHaveLength(1));
});

it("test_sites__each_once", () =>
  expect(sitesOf(rows)).toEqual(["Frankfurt", "Milan", "Oslo", "Rome"]));

it("test_layout__few_links_as_cards__many_as_a_table", () =>
  expect([1, 6, 7, 500].map(defaultLayout)).toEqual(["cards", "cards", "table", "table"]));

it("test_as_unknown__no_answer_for_too_long__no_state_is_claimed", () => {
  const shown = asUnknown(row("orders"));
  expect([shown.state, shown.forward?.state, shown.readiness.failover?.state]).toEqual([
    "unknown",
    "unknown",
    "unknown",
  ]);
});

describe("texts", () => {
  const at = "2026-11-23T12:00:00Z";
  it("test_recovery_point__now_and_from_a_rehearsal__with_its_source", () => {
    const observed = {
      transactions: 7,
      seconds: 2,
      source: "observed" as const,
      at,
      source_id: null,
    };
    expect(recoveryPointText(row("a", { recovery_point: observed }), NOW)).toEqual({
      value: "7",
      note: "2.0 s · now",
    });
    const rehearsed = { ...observed, transactions: 0, source: "rehearsal" as const };
    expect(recoveryPointText(row("a", { recovery_point: rehearsed }), NOW)).toEqual({
      value: "nothing",
      note: "rehearsal, 3 d ago",
    });
    expect(recoveryPointText(row("a", { recovery_point: null }), NOW).value).toBe("unknown");
  });
  it("test_recovery_time__unknown__says_so", () =>
    expect(recoveryTimeText(row("a", { recovery_time: null }), NOW)).toEqual({
      value: "unknown",
      note: "",
    }));
  it("test_rehearsal__failed_since__names_the_operation", () => {
    const readiness = {
      failover: { state: "ready" as const, passed_at: at, failed_at: "2026-11-24T12:00:00Z" },
    };
    expect(rehearsalText(row("a", { readiness }), NOW)).toEqual({
      value: "3 d ago",
      note: "failed: failover",
    });
    expect(rehearsalText(row("a", { readiness: {} }), NOW).value).toBe("never");
  });
});
