import type { Channel, Finding, LinkDetail, Readiness, Run } from "@/api/types";
import { pluralize } from "@/lib/format/number";
import { ago, frankfurt, lost, milan, now } from "./clusters";

export function finding(
  severity: Finding["severity"],
  code: string,
  message: string,
  remedy = "",
): Finding {
  return { severity, code, message, remedy, facts: {} };
}

export function channel(direction: "forward" | "reverse", over: Partial<Channel> = {}): Channel {
  const forward = direction === "forward";
  return {
    direction,
    source_node: forward ? "n_a1" : "n_b1",
    source_name: forward ? "db-a1" : "db-b1",
    replica_node: forward ? "n_b1" : "n_a1",
    replica_name: forward ? "db-b1" : "db-a1",
    io_running: "Yes",
    sql_running: "Yes",
    lag_s: 0,
    gap_transactions: 0,
    gap_at_least: over.gap_transactions ?? 0,
    gap_read_at: null,
    error: "",
    state: "running",
    observed_at: now(),
    age_s: 0.6,
    recorded: false,
    stray: false,
    ...over,
  };
}

export const fine = (count: number): Finding[] =>
  Array.from({ length: count }, (_, i) =>
    finding("ok", `check_${i}`, `Check ${i + 1} agrees on all nodes.`),
  );

export const ready = (sentence: string, estimate_s: number, loss = 0): Readiness => ({
  state: "ready",
  sentence,
  estimate_s,
  loss_transactions: loss,
  loss_at_least: loss,
  rehearsed_at: ago(86_400 * 3),
  rehearsed_ok: true,
});
export const not = (state: "blocked" | "unknown" | "not_needed", sentence: string): Readiness => ({
  state,
  sentence,
  estimate_s: null,
  loss_transactions: null,
  loss_at_least: null,
  rehearsed_at: null,
  rehearsed_ok: null,
});

/** The readiness of a healthy link for every operation. */
const wellReadiness = () => ({
  relocate: ready("Both sides have a Synced node. Nothing is lost and writes continue.", 0.9),
  start_channel: not("not_needed", "No channel is stopped without a failed transaction."),
  remove_stray_channel: not("not_needed", "No stray channel is known."),
  remove_channels: {
    ...ready("2 channels can be removed. Replication ends, and both sides diverge.", 1),
    rehearsed_at: null,
    rehearsed_ok: null,
  },
  switchover: ready("Both channels are in sync; no long transaction is open.", 1.9),
  failover: ready("frankfurt can be activated; 3 transactions would be lost.", 2, 3),
  reprotect: not("not_needed", "No side is invalidated."),
  failback: not("not_needed", "Milan is home."),
  accept_state_uuid: not("not_needed", "Both sides have the recorded state UUID."),
});

const FORWARD_A2 = { source_node: "n_a2", source_name: "db-a2" };
const REVERSE_A2 = { replica_node: "n_a2", replica_name: "db-a2" };

export function base(id: string, name: string): LinkDetail {
  return {
    id,
    name,
    state: "protected",
    sentence: "Both channels run and are in sync.",
    detail:
      "Milan is writable. Frankfurt is in sync. A probe write in each direction was checked 12 s ago.",
    observed_at: now(),
    age_s: 0.6,
    active_cluster: {
      id: "c_milan",
      name: "milan",
      site: "Milan",
      status: "primary",
      nodes_up: 3,
      nodes: 3,
      last_committed: 221_465_100,
    },
    standby_cluster: {
      id: "c_frankfurt",
      name: "frankfurt",
      site: "Frankfurt",
      status: "primary",
      nodes_up: 3,
      nodes: 3,
      last_committed: 90_318_007,
    },
    environment: "production",
    permissions: ["approve", "clusters", "links", "lookup", "plan", "read", "run"],
    channel_name: "",
    requires_approval: false,
    writes_on_both_sides: false,
    channels: [channel("forward"), channel("reverse")],
    findings: fine(21),
    readiness: wellReadiness(),
    home_cluster: { id: "c_milan", name: "milan" },
    invalidated_cluster: null,
    divergence: null,
    primary_action: { kind: null, label: "", replaced_node: null, url_options: {} },
    active_run: null,
    pause: null,
    version: 1,
    retired_at: null,
    clusters: { active: milan(), standby: frankfurt() },
  };
}

/** The channels of a node that is not reachable, with so many transactions behind. */
export const channelsOfLostNode = (gap_transactions: number): Channel[] => [
  channel("forward", { state: "broken", io_running: "Connecting", gap_transactions, lag_s: null }),
  channel("reverse", {
    state: "unknown",
    io_running: null,
    sql_running: null,
    gap_transactions: null,
    lag_s: null,
    recorded: true,
  }),
];

/** The link node of the active side is down; it held both channels. */
export function broken(seconds: number): LinkDetail {
  const link = base("l_payments", "payments");
  const active = milan();
  const waiting = Math.round(seconds * 86);
  active.nodes = active.nodes.map((node) => (node.id === "n_a1" ? lost(node, seconds) : node));
  return {
    ...link,
    state: "broken",
    sentence: `db-a1 is down. Milan is still writable. Frankfurt has received no data for ${Math.round(seconds)} s.`,
    detail: `db-a1 held both channels. Nothing is lost: db-a2 and db-a3 hold every transaction. ${pluralize(waiting, "transaction")} wait for the link.`,
    active_cluster: { ...link.active_cluster, status: "degraded", nodes_up: 2 },
    channels: channelsOfLostNode(waiting),
    findings: [
      finding(
        "blocker",
        "source_unreachable",
        "db-a1 refuses connections; db-b1 reports the same.",
        "Relocate the link off db-a1, or start its server.",
      ),
      finding(
        "warning",
        "old_channel_autostart",
        "The stray channel will start automatically when db-a1 returns: it has no skip_slave_start.",
        "Hawser clears it on its return.",
      ),
      finding(
        "unknown",
        "clock_unknown",
        `The clock of db-a1 is unknown; last read ${Math.round(seconds)} s ago, then 0.02 s apart.`,
      ),
      ...fine(18),
    ],
    readiness: {
      ...wellReadiness(),
      switchover: not("blocked", "The forward channel is broken: relocate the link first."),
    },
    primary_action: {
      kind: "relocate",
      label: "Relocate the link off db-a1",
      replaced_node: "n_a1",
      url_options: { source_node: "n_a2", replica_node: "n_b1" },
    },
    clusters: { active, standby: frankfurt() },
  };
}

/** Both sides inserted the same key: the forward channel stopped on it. */
export function stoppedOnRow(): LinkDetail {
  const link = base("l_stock", "stock");
  return {
    ...link,
    state: "broken",
    sentence: "Applying stopped on db-b1 with error 1062.",
    detail: "Frankfurt has received nothing since; 214 transactions wait.",
    channels: [
      channel("forward", {
        state: "broken",
        sql_running: "No",
        gap_transactions: 214,
        lag_s: null,
      }),
      channel("reverse", {}),
    ],
    findings: [
      {
        ...finding(
          "blocker",
          "channel_broken",
          "The forward channel is not replicating: applying stopped on db-b1 with error 1062.",
          "Relocate the link: the plan shows whether that transaction was applied before.",
        ),
        facts: { direction: "forward", replica: "db-b1", errno: 1062 },
      },
      ...fine(18),
    ],
    primary_action: {
      kind: "relocate",
      label: "Relocate the link",
      replaced_node: null,
      url_options: {},
    },
  };
}

export function moved(): LinkDetail {
  return {
    ...base("l_payments", "payments"),
    channels: [channel("forward", FORWARD_A2), channel("reverse", REVERSE_A2)],
    sentence: "Both channels run on db-a2 ⇄ db-b1 and are in sync.",
    state: "degraded",
    detail: "db-a1 is down; remove its stray channel when it returns.",
  };
}

export const calm = (): LinkDetail => base("l_orders", "orders");

/** A run on this link stopped in the middle. */
export const needsOperator = (run: Run): LinkDetail => ({
  ...broken(600),
  sentence: "A relocate stopped in step 4 and needs an operator.",
  active_run: run,
  primary_action: null,
});

/** This link was not read for a while. */
export function unseen(): LinkDetail {
  return {
    ...base("l_archive", "archive"),
    state: "unknown",
    sentence: "No node of either site is reachable from the console.",
    detail: "The monitor is running. The network between the console and both sites is down.",
    age_s: 74,
    observed_at: ago(74),
    channels: [
      channel("forward", { state: "unknown", lag_s: null, gap_transactions: null }),
      channel("reverse", { state: "unknown", lag_s: null, gap_transactions: null }),
    ],
    findings: [],
    readiness: {
      relocate: not("unknown", "no node has responded for 74 s"),
      switchover: not("unknown", "no node has responded for 74 s"),
      failover: not("unknown", "the state of milan is unknown"),
    },
  };
}
