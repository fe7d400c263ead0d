/** Transactions as a lookup finds them: on all of milan, applied at frankfurt as far as its logs tell. */
import type {
  Lookup,
  LookupAnswer,
  LookupNodeLocation,
  LookupRows,
  LookupTransaction,
} from "@/api/types";
import { ago } from "./clusters";

const GTID = "0-21-221463896";
const FILE = "mariadb-bin.000211";
const STATEMENT = "UPDATE shop.orders SET amount = 25.00, changed_by = 'checkout' WHERE id = 88213";

const neighbour = (seq: number, position: number, summary: string) => ({
  state: "transaction" as const,
  transaction: {
    file: FILE,
    position,
    end_position: position + 412,
    gtid: `0-21-${seq}`,
    xid: seq,
    server_id: 21,
    at: ago(241),
    summary,
  },
});

const location = (
  letter: "a" | "b",
  number: number,
  position: number,
  xid: number,
): LookupNodeLocation => ({
  node_id: `n_${letter}${number}`,
  node: `db-${letter}${number}`,
  cluster: letter === "a" ? "milan" : "frankfurt",
  state: "found",
  detail: "",
  location: {
    file: FILE,
    position,
    end_position: position + 530,
    gtid: GTID,
    xid,
    bytes: 530,
    events: 5,
    is_ambiguous: false,
    before: neighbour(221_463_895, position - 412, "insert order_lines"),
    after: neighbour(221_463_897, position + 530, "update stock"),
  },
});

const without = (
  letter: "a" | "b",
  number: number,
  state: "not_found" | "unknown",
  detail: string,
): LookupNodeLocation => ({
  ...location(letter, number, 4, 1),
  state,
  detail,
  location: null,
});

const PURGED =
  "Not found. The retained binary log of db-b3 begins at 2026-03-04 04:00:00 UTC with mariadb-bin.000240: older ones are purged.";

const one = (): LookupTransaction => ({
  server_id: 21,
  origin: "milan",
  at: ago(240),
  kind: "dml",
  summary: "update orders",
  statement: STATEMENT,
  tables: ["shop.orders"],
  rows: 1,
  nodes: [
    location("a", 1, 884_120_377, 221_463_896),
    location("a", 2, 412_008_115, 221_463_896),
    without("a", 3, "unknown", "db-a3 is not responding: connection refused"),
    location("b", 1, 97_113_020, 90_317_411),
    location("b", 2, 88_100_412, 90_317_411),
    without("b", 3, "unknown", PURGED),
  ],
  sides: [
    {
      cluster_id: "c_milan",
      cluster: "milan",
      is_origin: true,
      held: "yes",
      detail: "The binary logs of db-a1 and db-a2 hold it.",
      evidence: [
        {
          family: "content",
          agrees: true,
          detail: `Same server id, time and content on db-a1 at ${FILE}:884120377, db-a2 at ${FILE}:412008115.`,
        },
      ],
    },
    {
      cluster_id: "c_frankfurt",
      cluster: "frankfurt",
      is_origin: false,
      held: "yes",
      detail: "The binary logs of db-b1 and db-b2 hold it.",
      evidence: [
        {
          family: "content",
          agrees: true,
          detail: `Same server id, time and content on db-b1 at ${FILE}:97113020, db-b2 at ${FILE}:88100412.`,
        },
        { family: "gtid", agrees: true, detail: `Both sides have it as GTID ${GTID}.` },
        {
          family: "executed",
          agrees: true,
          detail: `The channel on db-b1 executed db-a1's log up to ${FILE}:884641120.`,
        },
      ],
    },
  ],
});

const answer = (node: LookupNodeLocation, isLimited: boolean): LookupAnswer => ({
  node_id: node.node_id,
  node: node.node,
  cluster: node.cluster,
  state: node.state,
  code: node.state === "found" ? "found" : "node_unreachable",
  detail: node.detail,
  from: node.location && { file: FILE, position: 4 },
  to: node.location && { file: FILE, position: node.location.end_position },
  since: node.location && ago(7200),
  bytes: node.location ? 41_943_040 : 0,
  transactions: node.location ? 88_213 : 0,
  found: node.location ? 1 : 0,
  stopped_by: node.location ? (isLimited ? "match_limit" : "log_end") : null,
});

const result = (transactions: LookupTransaction[], next: string | null): Lookup => ({
  transactions,
  nodes: one().nodes.map((node) => answer(node, next !== null)),
  limits: { bytes: 67_108_864, seconds: 10, transactions: 50 },
  next,
});

export const foundOne = (): Lookup => result([one()], null);

/** Three transactions on each page; what frankfurt has differs. */
export const foundMany = (isFirst: boolean): Lookup => {
  const start = isFirst ? 0 : 3;
  const several = [0, 1, 2].map((index): LookupTransaction => {
    const base = one();
    const [milan, frankfurt] = base.sides;
    const held = (["yes", "unknown", "no"] as const)[index] ?? "yes";
    const nodes = base.nodes.map((node) =>
      node.location
        ? {
            ...node,
            location: { ...node.location, position: node.location.position + start + index },
          }
        : node,
    );
    return {
      ...base,
      at: ago(240 - start - index),
      nodes,
      sides: milan && frankfurt ? [milan, { ...frankfurt, held }] : base.sides,
    };
  });
  return result(several, isFirst ? "more" : null);
};

export const foundNone = (): Lookup => {
  const all = result([], null);
  return {
    ...all,
    nodes: all.nodes.map((node) => ({
      ...node,
      state: node.state === "found" ? "not_found" : node.state,
      found: 0,
      detail:
        node.detail || `Not in the binary log of ${node.node} from ${FILE}:4 to ${FILE}:884641120.`,
    })),
  };
};

export const lookupRows = (): LookupRows => ({
  node: "db-a1",
  from: { file: FILE, position: 884_120_377 },
  to: { file: FILE, position: 884_120_907 },
  detail: "",
  row_count: 1,
  rows: [
    {
      schema: "shop",
      table: "orders",
      operation: "update",
      before: { id: 88213, customer: "4711", amount: "20.00", note: null },
      after: { id: 88213, customer: "4711", amount: "25.00", note: null },
    },
  ],
});
