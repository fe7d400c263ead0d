/** Links that replicate, or seem to, and of which an operator has to know more: with the sentences of the server. */
import type {
  Channel,
  Direction,
  Finding,
  LinkDetail,
  Node,
  Run,
  UnaccountedTransaction,
} from "@/api/types";
import { pluralize } from "@/lib/format/number";
import { base, channel, finding, not, ready } from "./links";
import { accountsOf, unsafeSettings } from "./unaccounted";

type Readiness = LinkDetail["readiness"];

const MILAN = base("", "").active_cluster;
const SOUND = { state: "protected", sentence: "milan is writable. frankfurt is in sync." } as const;
const FENCE = ready("db-b3 of the standby side is set read-only. Replication continues.", 1);
const NOT_FENCED = not("not_needed", "No serving node of frankfurt accepts writes.");

/** The link `payments` with these findings; everything else as where all is well. */
function payments(
  findings: Finding[],
  { readiness = {}, ...over }: Partial<LinkDetail> & { readiness?: Readiness },
): LinkDetail {
  const link = base("l_payments", "payments");
  return {
    ...link,
    state: "degraded",
    detail: "6 of 6 nodes are Synced.",
    ...over,
    findings,
    readiness: { ...link.readiness, fence_standby: NOT_FENCED, ...readiness },
  };
}

/** The same link with these changes of the nodes of one side. */
function withNodes(link: LinkDetail, at: "active" | "standby", change: (node: Node) => Node) {
  const side = link.clusters[at];
  return {
    ...link,
    clusters: { ...link.clusters, [at]: { ...side, nodes: side.nodes.map(change) } },
  };
}

/** A finding about what a run did. */
const ofRun = (run_id: string, ...told: Parameters<typeof finding>): Finding => ({
  ...finding(...told),
  facts: { run_id },
});

const blocked = (kinds: readonly string[], sentence: string): Readiness =>
  Object.fromEntries(kinds.map((kind) => [kind, not("blocked", sentence)]));

const NOT_ONE = "milan: several Primary Components go by one name. Make them one first.";

/** Milan is two Primary Components under one state UUID. */
export function split(): LinkDetail {
  const link = payments(
    [
      finding(
        "blocker",
        "site_is_split",
        "milan is 2 Primary Components that know nothing of each other: db-a2 and db-a3, at seqno 221,465,100; db-a1, at seqno 221,464,871. They hold the same at least up to seqno 221,464,790. What one of them commits reaches neither the others nor, without a channel of its own, the other side.",
        "Decide which half of milan stays, and run SET GLOBAL read_only=ON on every node of the others. Export what the others wrote after seqno 221,464,790 from their binary logs (mariadb-binlog), and enter it on the half that stays. Stop the others, move their data folders aside, and start them empty with the addresses of the half that stays. They must be copied whole (SST): an IST would keep their own transactions.",
      ),
    ],
    {
      state: "broken",
      active_cluster: { ...MILAN, status: "split" },
      sentence:
        "milan is split: db-a2, db-a3 | db-a1. milan is still writable. frankfurt receives only what db-a1 commits.",
      readiness: {
        ...blocked(["relocate", "switchover", "accept_state_uuid"], NOT_ONE),
        failover: not(
          "unknown",
          "frankfurt can be activated; everything that was read of milan has arrived; how many later transactions would be lost is unknown.",
        ),
      },
    },
  );
  return withNodes(link, "active", (node) => ({
    ...node,
    wsrep: node.wsrep && {
      ...node.wsrep,
      cluster_size: node.id === "n_a1" ? 1 : 2,
      last_committed: node.id === "n_a1" ? 221_464_871 : 221_465_100,
    },
  }));
}

/** A node of the fenced standby side was restarted and takes writes. */
export function halfFenced(): LinkDetail {
  const link = payments(
    [
      ofRun(
        "r_past_3",
        "warning",
        "standby_accepts_writes",
        "db-b3 of the standby side frankfurt accepts writes (read_only=OFF). Run r_past_3 (switchover) had fenced it at 2026-11-26 07:00:01 UTC. db-b3 was restarted since, without read_only in the option file.",
        "Make sure that no application writes at frankfurt. Fence it again (plan kind fence_standby). Set read_only=ON in the option file of each node, so that a restart does not open it. If both sides are written on purpose, say so in the settings of the link (writes_on_both_sides).",
      ),
    ],
    {
      sentence:
        "db-b3 of the standby side accepts writes. milan is still writable. frankfurt is in sync.",
      readiness: { fence_standby: FENCE },
      primary_action: {
        kind: "fence_standby",
        label: "Fence frankfurt",
        replaced_node: null,
        url_options: {},
      },
    },
  );
  return withNodes(link, "standby", (node) =>
    node.id === "n_b3" ? { ...node, read_only: false, uptime_s: 600 } : node,
  );
}

/** Something sets the standby side writable again and again. */
export function fenceUndone(): LinkDetail {
  const link = payments(
    [
      ofRun(
        "r_past_2",
        "warning",
        "standby_accepts_writes",
        "db-b1, db-b2, db-b3 of the standby side frankfurt accept writes (read_only=OFF). Run r_past_2 (fence_standby) had fenced it at 2026-11-29 07:53:21 UTC. It was not restarted since: a person or another program set read_only=OFF.",
        "Another program undoes the fence of frankfurt. Find it (an operator, an orchestrator, a proxy's script) and make it leave read_only alone. Then fence frankfurt again (plan kind fence_standby).",
      ),
    ],
    {
      sentence:
        "db-b1, db-b2 and db-b3 of the standby side accept writes. milan is still writable. frankfurt is in sync.",
      readiness: {
        fence_standby: not(
          "blocked",
          "Another program undoes the fence of frankfurt. Stop that first.",
        ),
      },
    },
  );
  return withNodes(link, "standby", (node) => ({ ...node, read_only: false }));
}

const LOG_IS_ANOTHER =
  "mariadb-bin.000211 of db-a1 is another file. It is not proven that the forward channel of db-b1 continues without a gap: frankfurt may lack transactions of milan, or hold some that milan no longer has.";

/** The log of db-a1 has the name that it had, and is another one. */
export const anotherLog = (): LinkDetail =>
  payments(
    [
      finding(
        "blocker",
        "source_log_replaced",
        LOG_IS_ANOTHER,
        "Stop the channel first (STOP SLAVE on db-b1). Then plan a relocate: it proves what frankfurt applied last in the log that milan has now, or refuses. If it is refused, the data of both sides differs. Fail over to the side that has the data that counts, then reprotect or rebuild the other one.",
      ),
    ],
    {
      state: "broken",
      sentence:
        "It is not proven that the forward channel continues without a gap. milan is still writable. It is unknown what frankfurt lacks.",
      detail: `Forward: ${LOG_IS_ANOTHER}`,
      channels: [
        channel("forward", { state: "broken", gap_transactions: null }),
        channel("reverse"),
      ],
      readiness: {
        ...blocked(
          ["switchover"],
          "It is not proven that the forward channel continues without a gap.",
        ),
        relocate: not(
          "unknown",
          "It is not proven that the forward channel continues without a gap. The plan proves it, or is refused.",
        ),
        failover: not(
          "unknown",
          "frankfurt can be activated; it is not proven that it holds what milan committed: the loss is unknown.",
        ),
      },
    },
  );

const NO_ADDRESS = "db-b3 has a channel from vip.dc1.example:3306, which is no registered address.";

/** A second channel reads from a node of milan by an address that no node has. */
export const unregisteredChannel = (): LinkDetail =>
  payments(
    [
      finding(
        "blocker",
        "channel_source_unregistered",
        "db-b3 has a channel from vip.dc1.example:3306, which is the address of no registered node. It runs. server_id 22 of milan answers there.",
        "Point the channel at the registered address of the node of milan that it reads from, at the position where it is (STOP SLAVE; CHANGE MASTER with that host, port, file and position; START SLAVE), or remove the channel on db-b3 (STOP SLAVE; RESET SLAVE ALL). Until then nothing creates or starts a channel beside it.",
      ),
    ],
    {
      sentence: `${NO_ADDRESS} milan is still writable. frankfurt is in sync.`,
      readiness: blocked(["relocate", "switchover"], NO_ADDRESS),
    },
  );

const unclear = (direction: "forward" | "reverse", side: string, other: "forward" | "reverse") =>
  finding(
    "unknown",
    "foreign_origin_unclear",
    `The logs of both sides hold transactions of server_id 900, which is of neither cluster. It is unknown by which way they come to ${side}. If not by the ${direction} channel, they return by it and are applied again; if by it, they are lost where it ignores them.`,
    `If they are written to ${side} or reach it from another server, add 900 to IGNORE_SERVER_IDS of the ${direction} channel: STOP SLAVE; CHANGE MASTER with the whole list; START SLAVE. Otherwise add it to that of the ${other} channel. Then plan again: the plan keeps the list. If nothing writes under it any more, attest that.`,
  );

/** What a relocate finds of them, too. */
export const unclearOrigins = (): Finding[] => [
  unclear("forward", "frankfurt", "reverse"),
  unclear("reverse", "milan", "forward"),
];

/** Transactions of a third server are in the logs, and a channel brings some of another one. */
export const foreignOrigins = (): LinkDetail =>
  payments(
    [
      ...unclearOrigins(),
      finding(
        "warning",
        "channel_source_unregistered",
        "db-a1 has a channel (third) from 10.9.9.9:3306, which is the address of no registered node. It runs. server_id 901 answers there, which is of neither cluster.",
        "If it is meant, the channel of this link into milan must ignore that server's transactions. To create the channels of the link, remove the channel on db-a1 (STOP SLAVE 'third'; RESET SLAVE 'third' ALL) first, and set it up again afterwards.",
      ),
      finding(
        "info",
        "foreign_origin",
        "server_id 901 is of neither cluster. Transactions of it are in the logs of milan. The reverse channel ignores it on purpose, and every new one will.",
      ),
    ],
    {
      ...SOUND,
      readiness: {
        relocate: not(
          "unknown",
          "How transactions of server_id 900 come to both sides is unknown: a plan asks for an attestation.",
        ),
      },
    },
  );

/** Settings with which rows may be left out unseen. */
export const judgedSettings = (): LinkDetail =>
  payments(
    [
      finding(
        "blocker",
        "errors_skipped",
        "db-b1 has slave_exec_mode=IDEMPOTENT. Its channels apply rows that conflict or are missing without stopping. The data of the two sides may differ without any error.",
        "Run SET GLOBAL slave_exec_mode = STRICT on db-b1, and set it in the configuration file, too, or use another node.",
      ),
      finding(
        "blocker",
        "replica_packet_smaller",
        "db-b1 has slave_max_allowed_packet=1000000, and max_allowed_packet of db-a1 is 16777216. Its channel stops at the first event that is larger, and reads nothing after it.",
        "Run SET GLOBAL slave_max_allowed_packet = 33554432 on db-b1, stop and start its channel, and set it in the configuration file, too.",
      ),
      finding(
        "warning",
        "setting_differs",
        "lower_case_table_names differs (db-a1: 1, db-a2: 0, db-a3: 0, db-b1: 0, db-b2: 0, db-b3: 0). The same table has two names, or two tables have one.",
        "Set lower_case_table_names to the same value on db-a1, db-a2, db-a3, db-b1, db-b2 and db-b3, and in each configuration file.",
      ),
    ],
    {
      sentence:
        "db-b1 has slave_exec_mode=IDEMPOTENT. milan is still writable. frankfurt has applied all that it received, and may lack rows.",
    },
  );

const defect = (severity: Finding["severity"], what: string, effect: string, remedy: string) =>
  finding(severity, "known_defect", `${what} ${effect}`, remedy);

/** Releases with known defects. */
export const knownDefects = (): LinkDetail =>
  payments(
    [
      defect(
        "warning",
        "db-a1, db-a2 run MariaDB 10.11.17, which has the defect MDEV-40298 (fixed in 10.6.28, 10.11.19, 11.4.13, 11.8.9, 12.3.3).",
        "The server can end while one of its channels is stopped, started or changed and its status is read.",
        "Upgrade. Until then let no monitoring tool read SHOW SLAVE STATUS during a run; Hawser does not.",
      ),
      defect(
        "warning",
        "db-a1, db-a2 run MariaDB 10.11.17, which has the defect MDEV-38843 (fixed in 10.6.28, 10.11.19, 11.4.13, 11.8.9).",
        "A node may stay in its cluster although it could not apply a transaction: its data differs from then on.",
        "Upgrade. After an error of an applier compare the node with its neighbours, or give it a full state transfer.",
      ),
      defect(
        "info",
        "db-a3 runs Galera 26.4.25, which has the defect galera-incomplete-ist (fixed in 26.4.27).",
        "An incremental state transfer may leave out write-sets: the node that joins then lacks them.",
        "Upgrade. Until then compare a node that joined by IST with its neighbours.",
      ),
    ],
    SOUND,
  );

/** Commits of db-a1 wait for an acknowledgement that no replica gives. */
export const semiSynchronous = (): LinkDetail =>
  payments(
    [
      finding(
        "blocker",
        "semi_sync_waits",
        "Commits of db-a1 wait for a semi-synchronous acknowledgement: 12 commits wait now, up to 3600 s each, and no replica would give it.",
        "Start the channel of its replica, or run SET GLOBAL rpl_semi_sync_master_enabled=OFF on db-a1: commits that wait go on at once.",
      ),
      finding(
        "warning",
        "setting_differs",
        "rpl_semi_sync_slave_enabled differs (db-b1: OFF, db-b2: ON, db-b3: ON). After a move commits wait for the other side in another way than before, or not at all.",
        "Set rpl_semi_sync_slave_enabled to the same value on db-b1, db-b2 and db-b3, and in each configuration file.",
      ),
    ],
    {
      sentence:
        "Commits of db-a1 wait for a semi-synchronous acknowledgement: 12 commits wait now, up to 3600 s each, and no replica would give it. milan is still writable. frankfurt is in sync.",
    },
  );

const named = ({ seqno, gtid, file, position, node }: UnaccountedTransaction) =>
  `${seqno === null ? "" : `seqno ${seqno}, `}GTID ${gtid} at ${file}:${position} of ${node}`;

function unaccountedFinding(
  code: string,
  direction: Direction,
  found: readonly UnaccountedTransaction[],
  [sentence, why]: readonly [string, string],
): Finding[] {
  if (found.length === 0) return [];
  const gtids = found.map(({ gtid }) => gtid);
  const told = finding(
    "blocker",
    code,
    `${sentence} ${why} ${found.map(named).join("; ")}.`,
    "Look up their rows. Bring in what a side lacks on each of its nodes, in a session with wsrep_on=OFF and sql_log_bin=0. Then settle them with the reason. Until then a switchover is refused.",
  );
  return [{ ...told, facts: { direction, sentence, count: found.length, gtids } }];
}

/** The forward channel left transactions out, and milan holds one of frankfurt that frankfurt did not send. */
export function unaccounted(settled: ReadonlySet<string>): LinkDetail {
  const { forward, reverse } = accountsOf(true, settled);
  const findings = [
    ...unaccountedFinding("transactions_left_out", "forward", forward.transactions, [
      `frankfurt lacks ${pluralize(forward.transactions.length, "transaction")} of milan.`,
      "The forward channel passed them and the log of db-b1 does not have them: skipped, or left behind by a position that was set by hand. Only what changed nothing there is no loss.",
    ]),
    ...unaccountedFinding("transactions_not_from_source", "reverse", reverse.transactions, [
      `milan holds ${pluralize(reverse.transactions.length, "transaction")} that frankfurt did not send.`,
      "It bears a server_id of frankfurt and the log of db-b1 does not have it so often: written on milan under that id, or applied twice. The channel to frankfurt ignores it.",
    ]),
  ];
  const sentence = findings[0]?.facts.sentence;
  if (typeof sentence !== "string") return payments([], { ...SOUND, state: "protected" });
  return payments(findings, {
    sentence: `${sentence} milan is still writable. frankfurt has applied all that it received, and may lack rows.`,
    readiness: blocked(["switchover"], `${sentence} Settle that first.`),
  });
}

/** A node had a filter of its log for a while, and another one has a setting of that kind. */
export function unsafeSetting(settled: ReadonlySet<string>): LinkDetail {
  const findings = unsafeSettings(settled).map(({ node, node_id, variable, value, until }) => {
    const facts = { node, node_id, variable, value };
    const had = `${node} had ${variable}=${value}: rows may differ since.`;
    const told =
      until === null
        ? finding(
            "blocker",
            "setting_not_allowed",
            `${node} has ${variable}=${value}. Its schema changes stay on it alone, also those of its channels.`,
            `Run SET GLOBAL ${variable} = TOI on ${node}, and set it in the configuration file, too, or use another node.`,
          )
        : finding(
            "blocker",
            "rows_may_differ",
            `${node} had ${variable}=${value}. It leaves schemas out of its binary log: what its clients write there reaches neither the other side nor its own cluster, and its log lacks what other nodes write there. To set it back does not bring what was left out, and nothing shows whether anything was.`,
            "Compare the tables of the nodes of milan with each other, and milan with frankfurt. Mend what differs on each node that lacks it, in a session with wsrep_on=OFF and sql_log_bin=0. Then settle it with the reason. Until then a switchover is refused.",
          );
    return { ...told, facts: { ...facts, sentence: had } };
  });
  const unsettled = findings.find(({ code }) => code === "rows_may_differ")?.facts.sentence;
  const sentence = unsettled ?? "db-b3 has wsrep_osu_method=RSU.";
  return payments(findings, {
    sentence: `${sentence} milan is still writable. frankfurt has applied all that it received, and may lack rows.`,
    readiness: unsettled ? blocked(["switchover"], `${unsettled} Settle that first.`) : {},
  });
}

/** After a switch an event runs nowhere, and another one on the standby side. */
export const eventsLeft = (): LinkDetail =>
  payments(
    [
      finding(
        "warning",
        "events_not_enabled",
        "Events run on no node of the active side milan: shop.purge.",
        "Run on db-a1, each for an event that is to run: ALTER DEFINER='app'@'%' EVENT `shop`.`purge` ENABLE; for one that is not, ALTER EVENT … DISABLE there.",
      ),
      finding(
        "warning",
        "event_scheduler_on",
        "Events run on the standby side, on db-b1: shop.rollup. They write through the fence if their definers may.",
        "Run SET GLOBAL event_scheduler=OFF on db-b1, or make sure that they may run there. To move one, enable it on a node of the active side: replication disables it here.",
      ),
    ],
    SOUND,
  );

const stopped = (direction: Channel["direction"]) =>
  channel(direction, {
    state: "stopped",
    io_running: "No",
    sql_running: "No",
    lag_s: null,
    gap_transactions: direction === "forward" ? 412 : 3,
  });

/** Both channels stopped without an error: either can be started alone. */
export const bothStopped = (): LinkDetail =>
  payments(
    (["forward", "reverse"] as const).map((direction) =>
      finding(
        "blocker",
        "channel_stopped",
        `The ${direction} channel is not replicating: the channel is stopped on ${direction === "forward" ? "db-b1" : "db-a1"}.`,
        "Start the channel: the plan proves where it stopped.",
      ),
    ),
    {
      state: "broken",
      sentence:
        "The forward channel is stopped. milan is still writable. frankfurt has received no data for 41 s; 412 transactions are pending.",
      detail: "Forward: the channel is stopped on db-b1. Reverse: the channel is stopped on db-a1.",
      channels: [stopped("forward"), stopped("reverse")],
      readiness: {
        ...blocked(["switchover"], "The forward channel is stopped: start it first."),
        start_channel: ready("Both channels can be started where they stopped.", 1),
      },
      primary_action: {
        kind: "start_channel",
        label: "Start the forward channel on db-b1 and the reverse channel on db-a1",
        replaced_node: "n_b1",
        url_options: {},
      },
    },
  );

/** A relocate failed past its point of no return; the direction that did not fail was started again. */
export const givenBack = (run: Run): LinkDetail =>
  payments(
    [
      finding(
        "blocker",
        "channel_stopped",
        "The forward channel is not replicating: the channel is stopped on db-b1.",
        "Resume the run once its cause is fixed.",
      ),
    ],
    {
      state: "broken",
      sentence:
        "The forward channel is stopped. milan is still writable. frankfurt has received no data for 41 s; 412 transactions are pending.",
      detail: "Forward: the channel is stopped on db-b1.",
      channels: [
        stopped("forward"),
        channel("reverse", {
          source_node: "n_b1",
          source_name: "db-b1",
          replica_node: "n_a2",
          replica_name: "db-a2",
        }),
      ],
      active_run: run,
      primary_action: null,
    },
  );
