import { describe, expect, it } from "vitest";
import type { Orphan, OrphanRow } from "@/api/types";
import { changesOf, filterByTable, summaryOf } from "./row-changes";

const row = (over: Partial<OrphanRow>): OrphanRow => ({
  schema: "shop",
  table: "stock",
  operation: "update",
  before: { sku: "A-17", n: 4 },
  after: { sku: "A-17", n: 3 },
  ...over,
});

const orphan = (over: Partial<Orphan>): Orphan => ({
  index: 0,
  seqno: 1,
  gtid: null,
  at: "2026-11-21T02:14:07Z",
  kind: "rows",
  statement: null,
  refusal: "",
  rows: [row({})],
  ...over,
});

describe("transactions as text", () => {
  it("test_summary__same_operation_twice__counted", () =>
    expect(summaryOf(orphan({ rows: [row({}), row({}), row({ operation: "delete" })] }))).toBe(
      "update shop.stock ×2, delete shop.stock",
    ));
  it("test_summary__ddl__its_statement", () =>
    expect(summaryOf(orphan({ kind: "ddl", statement: "DROP TABLE t", rows: [] }))).toBe(
      "DROP TABLE t",
    ));
  it("test_changes__zeroes_left_out", () =>
    expect(changesOf({ schema: "shop", table: "stock", inserts: 2, updates: 0, deletes: 1 })).toBe(
      "2 inserts, 1 delete",
    ));
  it("test_touching__table_named__others_left_out_but_never_ddl", () => {
    const all = [
      orphan({ index: 0 }),
      orphan({ index: 1, rows: [row({ table: "orders" })] }),
      orphan({ index: 2, kind: "ddl", rows: [] }),
    ];
    expect(filterByTable(all, "shop.orders").map((entry) => entry.index)).toEqual([1, 2]);
    expect(filterByTable(all, undefined)).toHaveLength(3);
  });
});
