/** Every state that the lab (`python -m deploy.lab`) can put a link into, one link for each. */
import type { Channel, LinkDetail, Node } from "@/api/types";
import { lost } from "./clusters";
import { base, broken, channel, stoppedOnRow, unseen } from "./links";
import { paused } from "./registration";
import { failedOver, failedOverAlone, partitioned, siteLost } from "./site-links";

type Change = (node: Node) => Node;

const MADE = base("", "");

/** The link with these changes of its nodes, by name. */
function withNodes(changes: Record<string, Change>, over: Partial<LinkDetail> = {}): LinkDetail {
  const link = { ...base("", ""), ...over };
  const change = (node: Node) => changes[node.name]?.(node) ?? node;
  const { active, standby } = link.clusters;
  return {
    ...link,
    clusters: {
      active: { ...active, nodes: active.nodes.map(change) },
      standby: { ...standby, nodes: standby.nodes.map(change) },
    },
  };
}

const withChannels = (...channels: Channel[]): LinkDetail => ({ ...base("", ""), channels });
const wsrep =
  (over: Partial<NonNullable<Node["wsrep"]>>): Change =>
  (node) => ({
    ...node,
    wsrep: node.wsrep && { ...node.wsrep, ...over },
  });
const reach =
  (found: Node["reach"], seconds = 41): Change =>
  (node) => ({
    ...lost(node, seconds),
    reach: found,
  });
const nonPrimary = wsrep({ cluster_status: "non-Primary", state: "Initialized", ready: false });
const fenced: Change = (node) => ({ ...node, read_only: true });
const writable: Change = (node) => ({ ...node, read_only: false });
const between = (source: string, replica: string) => ({
  source_node: `n_${source}`,
  source_name: `db-${source}`,
  replica_node: `n_${replica}`,
  replica_name: `db-${replica}`,
});
const stray = (source: string, replica: string, over: Partial<Channel> = {}) =>
  channel(replica.startsWith("b") ? "forward" : "reverse", {
    ...between(source, replica),
    state: "stray",
    stray: true,
    gap_transactions: null,
    ...over,
  });
const UNREAD = { io_running: null, sql_running: null, gap_transactions: null, lag_s: null };
const BROKEN = { state: "broken", io_running: "Connecting", lag_s: null } as const;
const degraded = (nodes_up: number): Partial<LinkDetail> => ({
  state: "degraded",
  active_cluster: { ...MADE.active_cluster, status: "degraded", nodes_up },
});
const activeAs = (status: LinkDetail["active_cluster"]["status"]): Partial<LinkDetail> => ({
  active_cluster: { ...MADE.active_cluster, status },
});
const A = ["db-a1", "db-a2", "db-a3"] as const;
const B = ["db-b1", "db-b2", "db-b3"] as const;
const each = (names: readonly string[], change: Change) =>
  Object.fromEntries(names.map((name) => [name, change]));

/** Two sites of so many nodes. */
function sized(left: number, right: number, link = base("", "")): LinkDetail {
  const { active, standby } = link.clusters;
  const grown = (nodes: readonly Node[], letter: string, count: number) =>
    Array.from({ length: count }, (_, index): Node => {
      const node = nodes[index] ?? nodes[0]!;
      return { ...node, id: `n_${letter}${index + 1}`, name: `db-${letter}${index + 1}` };
    });
  return {
    ...link,
    active_cluster: { ...link.active_cluster, nodes: left, nodes_up: left },
    standby_cluster: { ...link.standby_cluster, nodes: right, nodes_up: right },
    clusters: {
      active: { ...active, nodes: grown(active.nodes, "a", left) },
      standby: { ...standby, nodes: grown(standby.nodes, "b", right) },
    },
  };
}

/** Names as long as a name may be. */
function longNames(): LinkDetail {
  const link = base("", "");
  const long = (name: string) =>
    `${name}-${"galera-node-of-payments-in-the-old-hall-".repeat(2)}`.slice(0, 58);
  const named = (node: Node): Node => ({ ...node, name: `${long(node.name)}-${node.name.at(-1)}` });
  const { active, standby } = link.clusters;
  const clusters = {
    active: { ...active, name: long("milan"), nodes: active.nodes.map(named) },
    standby: { ...standby, name: long("frankfurt"), nodes: standby.nodes.map(named) },
  };
  const changed = link.channels.map((one) => ({
    ...one,
    source_name: `${long(one.source_name)}-1`,
    replica_name: `${long(one.replica_name)}-1`,
  }));
  return { ...link, clusters, channels: changed };
}

function swapped(): LinkDetail {
  const link = base("", "");
  return {
    ...link,
    active_cluster: link.standby_cluster,
    standby_cluster: link.active_cluster,
    clusters: {
      active: { ...link.clusters.standby, nodes: link.clusters.standby.nodes.map(writable) },
      standby: { ...link.clusters.active, nodes: link.clusters.active.nodes.map(fenced) },
    },
    channels: [
      channel("forward", { ...between("b1", "a1") }),
      channel("reverse", { ...between("a1", "b1") }),
    ],
  };
}

/** The monitor has not read the link yet. */
function neverRead(): LinkDetail {
  const never: Change = (node) => ({
    ...lost(node, 0),
    reach: "unknown",
    age_s: null,
    since: null,
  });
  return withNodes(each([...A, ...B], never), {
    state: "unknown",
    age_s: null,
    observed_at: null,
    channels: [],
    active_cluster: {
      ...MADE.active_cluster,
      status: "unknown",
      nodes_up: 0,
      last_committed: null,
    },
    standby_cluster: {
      ...MADE.standby_cluster,
      status: "unknown",
      nodes_up: 0,
      last_committed: null,
    },
  });
}

function returnedWritable(): LinkDetail {
  const link = failedOver();
  const { active, standby } = link.clusters;
  return {
    ...link,
    clusters: { active, standby: { ...standby, nodes: standby.nodes.map(writable) } },
  };
}

export const LAB_STATES = {
  healthy: () => base("", ""),
  "node-killed": () => broken(14),
  "node-stopped": () => withNodes({ "db-a3": reach("down") }, degraded(2)),
  "node-hung": () => withNodes({ "db-a1": reach("hung") }, degraded(2)),
  "login-refused": () => withNodes({ "db-a2": reach("refused") }, degraded(2)),
  "node-isolated": () =>
    withNodes(
      { "db-b1": nonPrimary },
      {
        state: "broken",
        channels: [
          channel("forward", { ...BROKEN, gap_transactions: 88 }),
          channel("reverse", BROKEN),
        ],
        standby_cluster: { ...MADE.standby_cluster, status: "degraded" },
      },
    ),
  "site-split": () => withNodes({ "db-a3": nonPrimary }, degraded(3)),
  "sites-partitioned": partitioned,
  "non-primary": () =>
    withNodes(each(A, nonPrimary), { state: "broken", ...activeAs("non_primary") }),
  joining: () => withNodes({ "db-a3": wsrep({ state: "Joining", ready: false }) }, degraded(3)),
  donor: () =>
    withNodes(
      {
        "db-a2": wsrep({ state: "Donor/Desynced", recv_queue: 1204 }),
        "db-a3": wsrep({ state: "Joiner", ready: false }),
      },
      degraded(3),
    ),
  desynced: () => withNodes({ "db-b2": wsrep({ state: "Donor/Desynced", recv_queue: 12 }) }),
  "channel-stopped": () =>
    withChannels(
      channel("forward", {
        state: "stopped",
        io_running: "No",
        sql_running: "No",
        gap_transactions: 1204,
        lag_s: null,
      }),
      channel("reverse"),
    ),
  "channel-error": stoppedOnRow,
  "other-nodes": () =>
    withChannels(channel("forward", between("a2", "b3")), channel("reverse", between("b3", "a2"))),
  crossed: () =>
    withChannels(channel("forward", between("a1", "b3")), channel("reverse", between("b1", "a3"))),
  stray: () => withChannels(channel("forward"), stray("a1", "b2"), channel("reverse")),
  strays: () =>
    withChannels(
      channel("forward"),
      stray("a2", "b1"),
      stray("a3", "b3", { io_running: "No", sql_running: "No" }),
      channel("reverse"),
      stray("b2", "a1", UNREAD),
      stray("b3", "a3"),
    ),
  "forward-only": () => withChannels(channel("forward")),
  "reverse-only": () => withChannels(channel("reverse")),
  "no-channel": () => withChannels(),
  "source-unknown": () =>
    withChannels(channel("forward", { source_node: null, source_name: "" }), channel("reverse")),
  "both-writable": () => withNodes(each(B, writable)),
  "active-fenced": () => withNodes(each(A, fenced)),
  "active-half-fenced": () => withNodes({ "db-a2": fenced, "db-a3": reach("hung") }, degraded(2)),
  "standby-half-fenced": () => withNodes({ "db-b2": writable }),
  "site-lost": () => siteLost(23),
  "failed-over": failedOverAlone,
  "returned-fenced": failedOver,
  "returned-writable": returnedWritable,
  swapped,
  maintenance: () => paused(base("", "")),
  unknown: unseen,
  "never-read": neverRead,
  "one-node-each": () => sized(1, 1),
  "nine-nodes-each": () => sized(9, 9, withNodes({ "db-a3": reach("down"), "db-b2": nonPrimary })),
  "one-and-nine": () =>
    sized(
      1,
      9,
      withChannels(
        channel("forward", between("a1", "b9")),
        channel("reverse", between("b1", "a1")),
      ),
    ),
  "long-names": longNames,
  "lag-unknown": () =>
    withChannels(channel("forward", { gap_transactions: 214, lag_s: null }), channel("reverse")),
  "gap-unknown": () =>
    withChannels(channel("forward", { gap_transactions: null, lag_s: 3 }), channel("reverse")),
  "large-lag": () =>
    withChannels(
      channel("forward", { gap_transactions: 18_422_100_731, lag_s: 93_600 }),
      channel("reverse"),
    ),
} satisfies Record<string, () => LinkDetail>;

/** Each state as a link of its name. */
export const labStates = Object.entries(LAB_STATES).map(
  ([name, make]) =>
    (): LinkDetail => ({ ...make(), id: `l_${name}`, name }),
);
