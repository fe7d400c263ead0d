/** Comparisons of the tables of payments: one that runs, one that found rows that differ, one of equal tables. */
import type {
  ComparedTable,
  ComparisonRequest,
  ComparisonSchedule,
  RowDifference,
  RowWriters,
  TableComparison,
} from "@/api/types";
import { ago } from "./clusters";

const NODES = [
  { id: "n_a2", name: "db-a2", cluster: "milan" },
  { id: "n_b2", name: "db-b2", cluster: "frankfurt" },
  { id: "n_b1", name: "db-b1", cluster: "frankfurt" },
];

const DIFFERENT: TableComparison = {
  id: "j_different",
  link_id: "l_payments",
  state: "finished",
  actor: "olaf",
  nodes: NODES,
  only: ["shop", "crm"],
  rows_per_s: 20_000,
  busy_percent: 20,
  sentence:
    "30 tables and 8,412,067 rows compared, 120,400 of the rows while their tables were written, 26 equal, 2 different, 2 not, or not whole, compared.",
  started_at: ago(86_400 * 2),
  ended_at: ago(86_400 * 2 - 2100),
  tables: 30,
  tables_equal: 26,
  tables_different: 2,
  tables_not_compared: 2,
  rows: 8_412_067,
  rows_while_written: 120_400,
  estimated_rows: 8_412_067,
  different: 5,
  remaining_s: null,
};

const NOTHING_YET = {
  state: "running",
  sentence: "",
  ended_at: null,
  tables: 0,
  tables_equal: 0,
  tables_different: 0,
  tables_not_compared: 0,
  rows: 0,
  rows_while_written: 0,
  estimated_rows: 0,
  different: 0,
} as const;

/** A comparison that was begun now. */
export const begun = (
  link_id: string,
  id: string,
  asked: Partial<ComparisonRequest> = {},
): TableComparison => ({
  ...DIFFERENT,
  ...NOTHING_YET,
  id,
  link_id,
  actor: "operator-1",
  nodes: asked.every_node === false ? NODES.slice(0, 2) : NODES,
  only: asked.only ?? [],
  rows_per_s: asked.rows_per_s ?? DIFFERENT.rows_per_s,
  busy_percent: asked.busy_percent ?? DIFFERENT.busy_percent,
  started_at: ago(0),
  tables: 4,
  rows: 1_200,
  estimated_rows: 48_000,
  remaining_s: 39,
});

/** Newest first. */
export const comparisons = (): TableComparison[] => [
  {
    ...DIFFERENT,
    ...NOTHING_YET,
    id: "j_running",
    actor: "schedule",
    only: [],
    started_at: ago(340),
    tables: 30,
    tables_equal: 11,
    tables_not_compared: 1,
    rows: 3_104_000,
    rows_while_written: 84_000,
    estimated_rows: 8_400_000,
    remaining_s: 580,
  },
  DIFFERENT,
  {
    ...DIFFERENT,
    id: "j_equal",
    actor: "schedule",
    only: [],
    sentence: "27 tables and 8,390,111 rows compared, 27 equal.",
    started_at: ago(86_400 * 9),
    ended_at: ago(86_400 * 9 - 2400),
    tables: 27,
    tables_equal: 27,
    tables_different: 0,
    tables_not_compared: 0,
    rows: 8_390_111,
    rows_while_written: 0,
    estimated_rows: 8_390_111,
    different: 0,
  },
];

const table = (name: string, more: Partial<ComparedTable> = {}): ComparedTable => ({
  name,
  state: "equal",
  estimated_rows: 310_000,
  rows: 311_204,
  rows_while_written: 0,
  different: 0,
  doubtful: 0,
  code: "",
  sentence: "",
  left_out: [],
  ended_at: ago(86_400),
  ...more,
});

const equal = (count: number) =>
  Array.from({ length: count }, (_, at) => table(`crm.part_${String(at).padStart(2, "0")}`));

const LOG = table("shop.access_log", {
  state: "not_compared",
  rows: 0,
  code: "engine_without_transactions",
  sentence:
    "shop.access_log uses Aria on db-a2: no two nodes can be read as of one moment, and Galera does not replicate its rows.",
});

/** The tables of a comparison, by name. */
export function comparedTables({ state, tables_different }: TableComparison): ComparedTable[] {
  if (state === "running" || state === "paused")
    return [
      ...equal(11),
      LOG,
      table("shop.basket", { state: "waiting", rows: 0, ended_at: null }),
      table("shop.orders", {
        state: "comparing",
        rows: 104_000,
        rows_while_written: 84_000,
        doubtful: 2,
        ended_at: null,
      }),
    ];
  if (tables_different === 0) return equal(27);
  return [
    ...equal(25),
    LOG,
    table("shop.audit", {
      state: "different",
      different: 1,
      code: "rows_differ",
      left_out: [
        "no key of db-a2 orders its rows alike on every node, so their number and sum is compared",
      ],
    }),
    table("shop.orders", {
      state: "different",
      rows_while_written: 120_400,
      different: 4,
      code: "rows_differ",
      left_out: ["total_with_tax is computed by the server"],
    }),
    table("shop.prices", { left_out: ["note is defined differently, or is not there, on db-b1"] }),
    table("shop.staging", {
      state: "not_compared",
      rows: 0,
      code: "table_missing",
      sentence: "shop.staging exists on db-a2, not on db-b1.",
    }),
  ];
}

const ORDER = { id: 88_213, customer: "4711", amount: "20.00", note: null };

const difference = (id: number, more: Partial<RowDifference>): RowDifference => ({
  id,
  table: "shop.orders",
  node: "db-b1",
  node_id: "n_b1",
  apart: "different",
  is_confirmed: true,
  columns: [],
  has_key: true,
  key: { id: 88_213 },
  reference: ORDER,
  held: null,
  found_at: ago(86_400 * 2 - 1800 + id),
  ...more,
});

/** The rows of `j_different`; without keys and values for those who may not see them. */
export function rowDifferences(showsRows: boolean): RowDifference[] {
  const found = [
    difference(5, {
      table: "shop.audit",
      apart: "missing",
      has_key: false,
      key: null,
      reference: null,
    }),
    difference(4, {
      columns: ["amount", "note"],
      held: { ...ORDER, amount: "25.00", note: "" },
    }),
    difference(3, { apart: "missing", key: { id: 88_240 }, reference: { ...ORDER, id: 88_240 } }),
    difference(2, {
      apart: "extra",
      node: "db-b2",
      node_id: "n_b2",
      key: { id: 9001 },
      reference: null,
      held: { ...ORDER, id: 9001 },
    }),
    difference(1, {
      is_confirmed: false,
      columns: ["amount"],
      key: { id: 90_004 },
      reference: { ...ORDER, id: 90_004 },
      held: { ...ORDER, id: 90_004, amount: "21.00" },
    }),
  ];
  return showsRows
    ? found
    : found.map((row) => ({ ...row, key: null, reference: null, held: null }));
}

export const comparisonSchedule = (): ComparisonSchedule => ({
  enabled: true,
  every_hours: 168,
  every_node: true,
  only: [],
  rows_per_s: 20_000,
  busy_percent: 20,
  next_at: ago(340 - 168 * 3600),
});

/** The row is as the log of the reference has it; on the other node it was changed without one. */
export function rowWriters(): RowWriters {
  const change = {
    at: ago(86_400 * 2 + 900),
    operation: "update" as const,
    gtid: "0-11-48213",
    server_id: 11,
    written_on: ["db-a1"],
    file: "binlog.000042",
    position: 1309,
  };
  const told = { since: ago(86_400 * 2 + 3600), changes: 2, last: change };
  const [reference, , held] = NODES;
  return {
    results: [
      {
        ...told,
        node_id: reference?.id ?? "",
        node: reference?.name ?? "",
        is_as_logged: true,
        sentence: "The row was found as the log has it.",
        writer: change,
      },
      {
        ...told,
        node_id: held?.id ?? "",
        node: held?.name ?? "",
        is_as_logged: false,
        sentence:
          "No transaction in this node's log left the row as it was found. It was changed by what is not logged as rows: a session with sql_log_bin=0 or wsrep_on=OFF, or a cascade of a foreign key.",
        writer: null,
      },
    ],
  };
}
