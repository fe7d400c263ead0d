import { describe, expect, it } from "vitest";
import type { Plan } from "@/api/types";
import { conflictsOf, decided, decisionOn, tablesOf } from "./conflicts";

const fact = (index: number, table: string, row: string, depends_on: number | null = null) => ({
  index,
  table,
  row,
  depends_on,
  reason: "changed meanwhile",
  decision: null,
  values: { b1: { id: 1 }, orphan: null },
});

const plan = (...conflicts: unknown[]) =>
  ({
    findings: [{ code: "orphans_conflict", severity: "blocker", facts: { conflicts } }],
  }) as unknown as Plan;

describe("conflicts of a replay", () => {
  it("are grouped by table, without those that only follow another one", () => {
    const found = conflictsOf(
      plan(fact(0, "a.t", "x"), fact(1, "a.t", "", 0), fact(2, "a.u", "y"), fact(3, "a.t", "z")),
    );
    expect(tablesOf(found).map(({ table, rows }) => [table, rows.map((one) => one.index)])).toEqual(
      [
        ["a.t", [0, 3]],
        ["a.u", [2]],
      ],
    );
  });

  it("are none where the plan has no such finding", () => {
    expect(conflictsOf({ findings: [] } as unknown as Plan)).toEqual([]);
  });

  it("read an older plan, which named no rows", () => {
    const [found] = conflictsOf(
      plan({ index: 0, table: "a.t", reason: "changed", depends_on: null }),
    );
    expect([found?.row, found?.decision, found?.values]).toEqual(["", null, {}]);
  });
});

describe("decisions", () => {
  it("on a row and on its table exist beside each other", () => {
    const all = decided(decided([], "a.t", "", "keep_active"), "a.t", "x", "take_orphan");
    expect([decisionOn(all, "a.t", ""), decisionOn(all, "a.t", "x")]).toEqual([
      "keep_active",
      "take_orphan",
    ]);
    expect(all[0]).toEqual({ table: "a.t", row: null, decision: "keep_active" });
  });

  it("are replaced and removed", () => {
    const all = decided([], "a.t", "x", "leave_out");
    expect(decided(all, "a.t", "x", "keep_active")).toHaveLength(1);
    expect(decided(all, "a.t", "x", "")).toEqual([]);
  });
});
