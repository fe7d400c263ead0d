import type { Evidence, Group, Plan, PlanOptions, Position } from "@/api/types";
import { now } from "./clusters";
import { on, planFinding, planSteps } from "./derived";
import { finding } from "./links";
import { planLoss } from "./losses";

const KINDS: [string, string, number][] = [
  ["insert orders, order_lines", "INSERT INTO orders …", 412],
  ["update stock", "UPDATE stock SET n = n - 1 WHERE sku = 'A-17'", 96],
  ["DDL ALTER TABLE stock", "ALTER TABLE stock ADD INDEX by_sku (sku)", 88],
  ["insert orders, order_lines", "INSERT INTO orders …", 398],
  ["update wallet", "UPDATE wallet SET balance = balance - 20 WHERE id = 4711", 71],
  ["insert payments", "INSERT INTO payments (id, amount) VALUES (88213, 20)", 148],
];

function group(row: number, seqno: number, file: string): Group {
  const [summary, statement, bytes] = KINDS[row % KINDS.length] ?? ["", "", 0];
  const ddl = summary.startsWith("DDL");
  return {
    seqno: ddl ? null : seqno,
    gtid: `0-21-${seqno}`,
    kind: ddl ? "ddl" : "dml",
    summary,
    statement,
    tables: ["shop.orders"],
    bytes,
    events: 5,
    server_id: 21,
    file,
    position: 884_119_000 + row * 230,
    end_position: 884_119_230 + row * 230,
    digest: `sha256:${(row * 7919 + 1234567).toString(16)}a1b2c3d4e5f6`,
  };
}

const groups = (from: number, count: number, file: string, offset = 0) =>
  Array.from({ length: count }, (_, i) => group(i + offset, from + i, file));

const evidence: Evidence[] = [
  {
    family: "seqno",
    agrees: true,
    detail:
      "Relay log row at Exec_Master_Log_Pos 771,204,915 has Xid 221,463,896. The same Xid occurs once in db-a2's binlog.",
    facts: {},
  },
  {
    family: "content",
    agrees: true,
    detail:
      "The last 6 transactions equal what ends there: tables, sizes, statement text, origin. They occur exactly once among 2.1 M searched.",
    facts: {},
  },
  {
    family: "journal",
    agrees: true,
    detail:
      "Sampled 0.8 s before the loss: db-a1 000198 : 771,190,022 = seqno 221,463,871 = db-a2 000211 : 884,105,233.",
    facts: {},
  },
  {
    family: "gtid",
    agrees: null,
    detail: "wsrep_gtid_mode is off: GTIDs are not comparable between nodes.",
    facts: {},
  },
];

function forward(): Position {
  return {
    direction: "forward",
    node: "n_a2",
    node_name: "db-a2",
    file: "mariadb-bin.000211",
    position: 884_120_377,
    gtid: null,
    seqno: 221_463_896,
    proven: true,
    provisional: false,
    verdict:
      "Proven: Frankfurt has applied everything up to seqno 221,463,896; replication resumes on db-a2 right after it.",
    reasons: [],
    evidence,
    receiving_name: "Frankfurt",
    receiver_node: "db-b1, relay log and own binlog",
    receiver_groups: groups(221_463_891, 6, "relay-bin.000044"),
    source_groups: groups(221_463_891, 6, "mariadb-bin.000211"),
    following_groups: groups(221_463_897, 2, "mariadb-bin.000211", 6),
    backlog: 1204,
    elapsed_ms: 14,
    searched_events: 18_400,
    from_checkpoint_age_s: 0.8,
  };
}

function reverse(): Position {
  return {
    ...forward(),
    direction: "reverse",
    node: "n_b1",
    node_name: "db-b1",
    file: "mariadb-bin.000211",
    position: 12_004_551,
    seqno: 90_317_955,
    verdict:
      "Proven: Milan has applied everything up to seqno 90,317,955; replication resumes on db-b1 right after it.",
    receiving_name: "Milan",
    receiver_node: "db-a2, own binlog",
    receiver_groups: groups(90_317_952, 4, "mariadb-bin.000211"),
    source_groups: groups(90_317_952, 4, "mariadb-bin.000211"),
    following_groups: [],
    backlog: 0,
  };
}

const steps = planSteps(
  {
    title: "Read both sides again and compare with the plan",
  },
  {
    code: "stop_channel",
    title: "Stop the forward channel",
    ...on("db-b1"),
    sql: ["STOP SLAVE"],
    undo: ["START SLAVE"],
  },
  {
    code: "change_forward",
    title: "Point the forward channel at db-a2",
    ...on("db-b1"),
    sql: [
      "CHANGE MASTER TO\n  MASTER_HOST='127.0.1.2', MASTER_PORT=3306,\n  MASTER_USER='repl', MASTER_PASSWORD='***',\n  MASTER_LOG_FILE='mariadb-bin.000211',\n  MASTER_LOG_POS=884120377,\n  MASTER_USE_GTID=no,\n  IGNORE_SERVER_IDS=(31,32,33)",
    ],
    undo: [
      "CHANGE MASTER TO MASTER_HOST='127.0.1.1', MASTER_LOG_FILE='mariadb-bin.000198', MASTER_LOG_POS=771204915",
    ],
    point_of_no_return: true,
  },
  {
    code: "start_forward",
    title: "Start the forward channel, wait for the first transaction",
    ...on("db-b1"),
    sql: ["START SLAVE"],
    undo: ["STOP SLAVE"],
  },
  {
    code: "change_reverse",
    title: "Point the reverse channel at db-b1",
    ...on("db-a2"),
    sql: [
      "CHANGE MASTER TO\n  MASTER_HOST='127.0.2.1', MASTER_PORT=3306,\n  MASTER_LOG_FILE='mariadb-bin.000211', MASTER_LOG_POS=12004551,\n  IGNORE_SERVER_IDS=(21,22,23)",
    ],
    undo: ["RESET SLAVE ALL"],
  },
  {
    code: "start_reverse",
    title: "Start the reverse channel",
    ...on("db-a2"),
    sql: ["START SLAVE"],
    undo: ["STOP SLAVE"],
  },
  {
    code: "verify",
    title:
      "Probe both directions, compare the transactions around the resume position on every node",
    sql: ["REPLACE INTO hawser.probe (side, n) VALUES ('milan', 71)"],
  },
  {
    code: "record",
    title: "Record the channels; watch db-a1 for its stray channel",
  },
);

/** A plan off db-a1. `refused`: db-a3 is chosen, whose binlogs do not reach back far enough. */
export function makePlan(id: string, reason: string, options: PlanOptions): Plan {
  const refused = options.source_node === "n_a3";
  const unseen = refused && !options.attest_fenced?.includes("n_a1");
  return {
    id,
    link_id: "l_payments",
    link_name: "payments",
    kind: "relocate",
    state: refused ? "refused" : "ready",
    reason,
    summary: refused ? "" : "Move both channels off db-a1 to db-a2 ⇄ db-b1.",
    digest: "sha256:7f3a9c1e5b2d48a0c6e1f3b5d7a9c1e37f3a9c1e5b2d48a0c6e1f3b5d7a9c1e3",
    created_at: now(),
    expires_at: new Date(Date.now() + 300_000).toISOString(),
    expires_in_s: 300,
    created_by: "operator-1",
    findings: [
      ...(refused
        ? [
            finding(
              "blocker",
              "retention",
              "db-a3 keeps binary logs only from mariadb-bin.000205 on; the resume position is older.",
              "Choose db-a2, which reaches back to mariadb-bin.000188.",
            ),
          ]
        : []),
      ...(unseen
        ? [
            {
              ...finding(
                "unknown",
                "unreachable_node_may_run",
                "db-a1 is not responding (refused) and is still a member of milan. It held the reverse channel and may still apply transactions.",
                "Wait until milan expels it, or fence db-a1 and attest that db-a1 is fenced.",
              ),
              facts: { node: "db-a1", node_id: "n_a1" },
            },
          ]
        : []),
      finding(
        "warning",
        "autoinc_overlap",
        "Both clusters give out the same auto_increment offsets.",
        "SET GLOBAL auto_increment_offset = 4",
      ),
      finding("info", "late_position", "The reverse channel is idle; its position is provisional."),
      ...Array.from({ length: 19 }, (_, i) =>
        finding("ok", `check_${i}`, `Check ${i + 1} agrees.`),
      ),
    ].map(planFinding),
    positions: refused
      ? [
          {
            ...forward(),
            proven: false,
            file: null,
            position: null,
            source_groups: [],
            following_groups: [],
            verdict: "Not proven: the position is before the oldest binary log of db-a3.",
            reasons: [
              "The position lies before the binlogs that db-a3 retains (oldest file mariadb-bin.000205). Choose another node that retains older logs.",
            ],
            evidence: [
              {
                family: "seqno",
                agrees: false,
                detail: "The searched part of db-a3's binlog does not hold Xid 221,463,896.",
                facts: {},
              },
            ],
          },
        ]
      : [forward(), { ...reverse(), provisional: options.replica_node === "n_b2" }],
    loss: planLoss(
      0,
      "Every transaction that Frankfurt lacks is in db-a2's binary log; none is skipped, none is applied twice.",
    ),
    steps: refused ? [] : steps,
    target: {
      source_node: options.source_node ?? "n_a2",
      source_name: refused ? "db-a3" : "db-a2",
      replica_node: "n_b1",
      replica_name: "db-b1",
    },
    situation: {
      sentence: "db-a1 is down.",
      old_source_name: "db-a1",
      old_replica_name: "db-b1",
      lost: ["db-a1"],
    },
    options,
  };
}
