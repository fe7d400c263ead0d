/** The orphans of a lost side, as the server would tell of them. */
import type { Orphan, OrphanRow, Orphans } from "@/api/types";
import { ago } from "./clusters";

const ROWS: OrphanRow[] = [
  {
    schema: "shop",
    table: "orders",
    operation: "insert",
    before: null,
    after: { id: 88213, customer: "4711", amount: "20.00", note: null },
  },
  {
    schema: "shop",
    table: "stock",
    operation: "update",
    before: { sku: "A-17", n: 4, touched: "2026-11-21 02:14:03" },
    after: { sku: "A-17", n: 3, touched: "2026-11-21 02:14:05" },
  },
  {
    schema: "shop",
    table: "basket",
    operation: "delete",
    before: { id: 9001, customer: "4711" },
    after: null,
  },
];

function orphan(index: number): Orphan {
  const ddl = index === 5;
  return {
    index,
    seqno: ddl ? null : 221_465_089 + index,
    gtid: `0-21-${221_465_089 + index}`,
    at: ago(5430 - index),
    kind: ddl ? "ddl" : "rows",
    statement: ddl ? "ALTER TABLE shop.stock ADD INDEX by_sku (sku)" : null,
    refusal: "",
    rows: ddl ? [] : ROWS.slice(index % 3, (index % 3) + 1 + (index % 2)),
  };
}

export const orphans = (): Orphans => ({
  state: "found",
  detail:
    "milan has 14 transactions that frankfurt never received, from mariadb-bin.000211:884641120 of db-a1 on.",
  scanned_at: ago(70),
  cluster: { id: "c_milan", name: "milan" },
  node: "db-a1",
  from: { file: "mariadb-bin.000211", position: 884_641_120 },
  to: { file: "mariadb-bin.000211", position: 884_655_377 },
  transactions: 14,
  rows: 21,
  tables: [
    { schema: "shop", table: "basket", inserts: 0, updates: 0, deletes: 4 },
    { schema: "shop", table: "orders", inserts: 9, updates: 0, deletes: 0 },
    { schema: "shop", table: "stock", inserts: 0, updates: 8, deletes: 0 },
  ],
  first_at: ago(5430),
  last_at: ago(5417),
  results: Array.from({ length: 14 }, (_, index) => orphan(index)),
  next: null,
});
