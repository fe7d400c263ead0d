/** Links whose site is lost, failed over or cut off. */
import { ago, frankfurt, lost, milan } from "@mock/seeds/clusters";
import { base, channel, channelsOfLostNode, finding, fine, not, ready } from "@mock/seeds/links";
import type { LinkDetail } from "@/api/types";

/** No node of Milan is reachable. */
export function siteLost(seconds: number): LinkDetail {
  const link = base("l_payments", "payments");
  const active = milan();
  active.nodes = active.nodes.map((node) => lost(node, seconds));
  return {
    ...link,
    state: "broken",
    sentence: `All nodes of milan are down. milan is not writable. frankfurt has received no data for ${Math.round(seconds)} s.`,
    detail: "frankfurt is Primary with 3 of 3 nodes, and has applied its relay log to the end.",
    active_cluster: { ...link.active_cluster, status: "down", nodes_up: 0 },
    channels: channelsOfLostNode(12),
    findings: [
      finding(
        "blocker",
        "site_lost",
        "No node of milan is reachable: 3 refuse connections.",
        "Fail over to frankfurt, or start the nodes of milan.",
      ),
      ...fine(12),
    ],
    readiness: {
      relocate: not("blocked", "milan has no Synced node that could hold a channel."),
      start_channel: not("not_needed", "No channel is stopped without a failed transaction."),
      remove_stray_channel: not("not_needed", "No stray channel is known."),
      switchover: not(
        "blocked",
        "milan is not responding, so it can be neither fenced nor drained.",
      ),
      failover: ready(
        "The last transaction seen on milan was 12 after the last one applied.",
        3.1,
        12,
      ),
      reprotect: not("not_needed", "No side is invalidated."),
      failback: not("not_needed", "milan is home."),
    },
    primary_action: {
      kind: "failover",
      label: "Fail over to frankfurt",
      replaced_node: null,
      url_options: {},
    },
    clusters: { active, standby: frankfurt() },
  };
}
/** Frankfurt took over; Milan is back, fenced, with transactions of its own. */
export function failedOver(): LinkDetail {
  const link = base("l_payments", "payments");
  const [active, standby] = [frankfurt(), milan()];
  active.nodes = active.nodes.map((node) => ({ ...node, read_only: false }));
  standby.nodes = standby.nodes.map((node) => ({ ...node, read_only: true }));
  return {
    ...link,
    state: "failed_over",
    sentence: "frankfurt is the only active side; milan is invalidated.",
    detail:
      "milan is reachable again and is fenced. It has 14 transactions frankfurt never received.",
    active_cluster: link.standby_cluster,
    standby_cluster: link.active_cluster,
    channels: [],
    findings: [
      finding(
        "warning",
        "invalidated",
        "milan is invalidated: it is refused as a source until it is reconciled.",
        "Reprotect the link with milan.",
      ),
      ...fine(14),
    ],
    readiness: {
      relocate: not("blocked", "milan is invalidated: reprotect first."),
      start_channel: not("not_needed", "No channel is stopped without a failed transaction."),
      remove_stray_channel: not("not_needed", "No stray channel is known."),
      switchover: not("blocked", "milan is invalidated: reprotect first."),
      failover: not("blocked", "milan is invalidated: there is no side to fail over to."),
      reprotect: ready("milan is reachable and fenced, and its binary logs are complete.", 8),
      failback: not("blocked", "Reprotect first: milan is invalidated."),
    },
    home_cluster: { id: "c_milan", name: "milan" },
    invalidated_cluster: "c_milan",
    divergence: {
      lost_cluster: { id: "c_milan", name: "milan" },
      survivor_cluster: { id: "c_frankfurt", name: "frankfurt" },
      at: ago(5400),
      run_id: "r_1",
      applied: {
        node: "db-a1",
        file: "mariadb-bin.000211",
        position: 884641120,
        seqno: 221465088,
        gtid: "0-21-221465088",
      },
      last_seen: { seqno: 221465100, at: ago(5423) },
      loss: {
        transactions: 12,
        planned_transactions: 40,
        seconds: 2,
        detail:
          "The plan counted 40 known transactions not applied. After the drain at least 12 transactions of milan, read up to 2026-11-29 06:32:53 UTC are lost.",
        at_least: 12,
        read_at: ago(5423),
        is_exact: false,
        counted_by: "logs_read",
        orphaned: null,
      },
      fences_on_return: true,
      returned: {
        returned_at: ago(900),
        fenced_at: ago(899),
        writes: 14,
        nodes: [
          {
            node: "db-a1",
            returned_at: ago(900),
            fenced_at: ago(899),
            run_id: "r_4",
            attempts: 1,
          },
        ],
      },
      copied_nodes: [],
    },
    primary_action: {
      kind: "reprotect",
      label: "Bring milan back as the standby",
      replaced_node: null,
      url_options: {},
    },
    clusters: { active, standby },
  };
}
/** Frankfurt took over; Milan has been unreachable since. */
export function failedOverAlone(): LinkDetail {
  const link = failedOver();
  const standby = milan();
  standby.nodes = standby.nodes.map((node) => lost(node, 5400));
  return {
    ...link,
    detail: "milan is unreachable since then. Hawser fences milan as soon as it returns.",
    standby_cluster: { ...link.standby_cluster, status: "down", nodes_up: 0 },
    divergence: link.divergence && { ...link.divergence, returned: null },
    readiness: {
      ...link.readiness,
      reprotect: not("blocked", "No node of milan is reachable from the console."),
    },
    primary_action: null,
    clusters: { active: link.clusters.active, standby },
  };
}
/** Hawser reaches both sites, but they do not reach each other. */
export function partitioned(): LinkDetail {
  const link = base("l_payments", "payments");
  const cut = { state: "broken", io_running: "Connecting", lag_s: null } as const;
  return {
    ...link,
    state: "broken",
    sentence: "The sites cannot reach each other. Milan is writable; Frankfurt receives no data.",
    detail: "Both sites are reachable from the console. Both channels retry automatically.",
    channels: [
      channel("forward", { ...cut, gap_transactions: 912 }),
      channel("reverse", { ...cut, gap_transactions: 0 }),
    ],
    findings: [
      finding(
        "blocker",
        "channel_broken",
        "The forward channel does not connect: db-b1 does not reach db-a1.",
        "Restore the network between the sites.",
      ),
      ...fine(18),
    ],
    primary_action: null,
  };
}
