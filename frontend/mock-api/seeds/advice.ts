/** Advice and configurations of the cluster milan; of frankfurt no node was read. */
import type {
  Advice,
  AdviceList,
  ClusterConfiguration,
  ClusterProfile,
  ConfigurationChange,
  ConfigurationNode,
  ConfigurationRow,
} from "@/api/types";
import { now } from "./clusters";
import { HOST_SETTINGS_COMMAND } from "./host-settings";

const NODES = ["db-a1", "db-a2", "db-a3"];

const setOption = (node: string, name: string, before: string, after: string) => ({
  node,
  name,
  before,
  after,
  is_option: true,
  needs_restart: false,
  sql: `SET GLOBAL wsrep_provider_options = '${name}=${after}';`,
  undo: `SET GLOBAL wsrep_provider_options = '${name}=${before}';`,
});

const byRestart = (node: string, name: string, before: string, after: string) => ({
  ...setOption(node, name, before, after),
  needs_restart: true,
  sql: "",
  undo: "",
});

const WINDOWS = NODES.flatMap((node) => [
  setOption(node, "evs.send_window", "4", "512"),
  setOption(node, "evs.user_send_window", "2", "512"),
]);
const MULTICAST = NODES.map((node) => byRestart(node, "gmcast.mcast_addr", "239.192.0.11", ""));

const MILAN = { subject_id: "c_milan", subject: "milan", dismissal: null };

const ADVICE: Advice[] = [
  {
    ...MILAN,
    code: "multicast_prevents_join",
    risk: "high",
    title: "Multicast keeps nodes from joining",
    nodes: NODES,
    fact: "gmcast.mcast_addr is set (db-a1: 239.192.0.11, db-a2: 239.192.0.11, db-a3: 239.192.0.11).",
    consequence:
      "With Galera 26.4 no node joins a first one by multicast, so the cluster does not form again after a full restart.",
    remedy:
      "Remove gmcast.mcast_addr from wsrep_provider_options in the configuration files before any node restarts.",
    evidence:
      "Measured on Galera 26.4.23: the first node starts, the second gives up with error 110 and logs that lengths do not match, whatever `socket.checksum` is.",
    is_measured: true,
    changes: MULTICAST,
    fingerprint: "5a1c9e0d7b3f2486",
  },
  {
    ...MILAN,
    code: "send_window_small",
    risk: "medium",
    title: "Send windows too small for the distance",
    nodes: NODES,
    fact: "evs.user_send_window is below 512 (db-a1: 2, db-a2: 2, db-a3: 2), and the cluster lies at two sites.",
    consequence: "Concurrent writers and large transactions wait for more than one round trip.",
    remedy:
      "Run the statements in this order, and put both options into the configuration files. Undo in the reverse order. Measure again: where the line loses packets, nothing is gained.",
    evidence:
      "Measured at 50 and 100 ms round trip with 4 to 32 writers: 1.2 to 1.8 round trips a commit with windows of 4 and 2, 1.04 to 1.22 with 512. With 1 % loss and 16 writers at 50 ms: 1.84 and 1.97 round trips.",
    is_measured: true,
    changes: WINDOWS,
    fingerprint: "90be4417ac5d3f02",
  },
  {
    ...MILAN,
    code: "single_applier",
    risk: "low",
    title: "One applier thread",
    nodes: ["db-a3"],
    fact: "db-a3 applies with one thread, and two or more transactions could be applied at once.",
    consequence:
      "The node may apply more slowly than its peers write, and flow control then stops them.",
    remedy:
      "Run the statement and put the variable into the configuration file. Do not exceed twice the number of cores.",
    evidence: "From the documentation of Galera. The effect was not measured here.",
    is_measured: false,
    changes: [
      {
        node: "db-a3",
        name: "wsrep_slave_threads",
        before: "1",
        after: "4",
        is_option: false,
        needs_restart: false,
        sql: "SET GLOBAL wsrep_slave_threads = 4;",
        undo: "SET GLOBAL wsrep_slave_threads = 1;",
      },
    ],
    fingerprint: "17d2f6a08c4b95e3",
  },
];

const readNode = (node: string): ConfigurationNode => ({
  node_id: `n_${node.slice(3)}`,
  node,
  version: "10.11.19-MariaDB-log",
  provider_version: "4.23(rXXXX)",
  read_at: now(),
  error: "",
});

const unreadNode = (node: string): ConfigurationNode => ({
  ...readNode(node),
  version: null,
  provider_version: null,
  read_at: null,
  error: "not read yet",
});

const FRANKFURT = ["db-b1", "db-b2", "db-b3"].map(unreadNode);
const NOTHING: AdviceList = { items: [], open: { high: 0, medium: 0, low: 0 }, nodes: FRANKFURT };

type Dismissals = ReadonlyMap<string, NonNullable<Advice["dismissal"]>>;

/** Advice on milan, open advice first. */
function adviceOnMilan(dismissals: Dismissals): AdviceList {
  const items = ADVICE.map((one) => ({ ...one, dismissal: dismissals.get(one.code) ?? null }));
  const open = items.filter(({ dismissal }) => dismissal === null);
  const count = (risk: Advice["risk"]) => open.filter((one) => one.risk === risk).length;
  return {
    items: [...open, ...items.filter(({ dismissal }) => dismissal !== null)],
    open: { high: count("high"), medium: count("medium"), low: count("low") },
    nodes: NODES.map(readNode),
  };
}

export const adviceOnCluster = (id: string, dismissals: Dismissals): AdviceList =>
  id === "c_milan" ? adviceOnMilan(dismissals) : NOTHING;

/** Of the link: both clusters. */
export function adviceOnLink(dismissals: Dismissals): AdviceList {
  const milan = adviceOnMilan(dismissals);
  return { ...milan, nodes: [...milan.nodes, ...FRANKFURT] };
}

const row = (name: string, value: string, more: Partial<ConfigurationRow> = {}) => ({
  name,
  is_option: true,
  values: NODES.map((node) => ({ node, value })),
  default: value,
  meaning: "",
  must_be_equal: false,
  differs: false,
  takes_effect: "now" as const,
  can_be_planned: name.endsWith("send_window") && (more.recommendation ?? null) !== null,
  note_kind: "" as const,
  note: "",
  recommendation: null,
  ...more,
});

const recommended = (value: string, based_on: string, changes: ConfigurationChange[]) => ({
  value,
  why: "More write-sets and fragments may be under way at once, so writers do not wait for a slot.",
  effect: "1.2 to 1.8 round trips a commit become 1.04 to 1.22 with 4 to 32 writers.",
  based_on,
  changes,
});

const LAB = "measured in the lab with distance, Galera 26.4.23";

const rows = (isFar: boolean): ConfigurationRow[] => [
  row("base_host", "10.1.0.11", {
    values: NODES.map((node, at) => ({ node, value: `10.1.0.1${at + 1}` })),
    differs: null,
    default: null,
    takes_effect: "unknown",
  }),
  row("evs.send_window", "4", {
    meaning: "messages of a node that may be in flight, all kinds",
    must_be_equal: true,
    recommendation: isFar
      ? recommended(
          "512",
          LAB,
          WINDOWS.filter((_, at) => at % 2 === 0),
        )
      : null,
  }),
  row("evs.user_send_window", "2", {
    meaning: "write-sets of a node that may be in flight",
    must_be_equal: true,
    recommendation: isFar
      ? recommended(
          "512",
          LAB,
          WINDOWS.filter((_, at) => at % 2 === 1),
        )
      : null,
  }),
  row("gcache.size", "128M", {
    meaning: "file of the last write-sets, from which a returning node gets an IST",
    values: NODES.map((node, at) => ({ node, value: at === 1 ? "1G" : "128M" })),
    must_be_equal: true,
    differs: true,
    takes_effect: "restart",
    recommendation: {
      value: "128M",
      why: "Whether a node that returns gets an IST or a full SST would depend on its donor.",
      effect: "not measured here",
      based_on: "the value of most nodes",
      changes: [byRestart("db-a2", "gcache.size", "1G", "128M")],
    },
  }),
  row("gmcast.mcast_addr", "239.192.0.11", {
    meaning: "UDP multicast instead of TCP",
    default: "",
    must_be_equal: true,
    takes_effect: "restart",
    note_kind: "harmful",
    note: "With Galera 26.4 no second node joins by multicast.",
    recommendation: {
      value: "",
      why: "With Galera 26.4 no second node joins by multicast.",
      effect: "With Galera 26.4 no second node joins by multicast.",
      based_on: "measured in the lab, Galera 26.4.23",
      changes: MULTICAST,
    },
  }),
  row("socket.ssl_password", "(hidden)", {
    default: null,
    takes_effect: "unknown",
    note_kind: "unknown",
    note: "Hawser does not know this option and does not judge it.",
  }),
  row("sql_mode", "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER", {
    is_option: false,
    default: null,
    must_be_equal: true,
  }),
];

const LINES = 'wsrep_provider_options = "evs.send_window=512; evs.user_send_window=512"';

/** The configuration; of frankfurt nothing is known. */
export function configurationOf(id: string, profile: ClusterProfile | null): ClusterConfiguration {
  if (id !== "c_milan")
    return {
      layout: "unknown",
      profile: profile ?? "unknown",
      nodes: FRANKFURT,
      rows: [],
      fragments: [],
      restarts: [],
      host_settings_command: HOST_SETTINGS_COMMAND,
    };
  return {
    layout: "two_sites",
    profile: profile ?? "two_sites",
    nodes: NODES.map(readNode),
    rows: rows(profile !== "one_site"),
    fragments: NODES.map((node) => ({
      node,
      text: `# ${node}\n[mysqld]\n# One line holds all provider options: let it replace the wsrep_provider_options that you have.\n# Add what you have set of: base_dir, base_host, socket.ssl_password\n${LINES}\n`,
    })),
    restarts: ["db-a2", "db-a3", "db-a1"].map((node) => ({
      node_id: `n_${node.slice(3)}`,
      node,
      carries_channel: node === "db-a1",
      sentence: `${node === "db-a1" ? "Relocate the link's channels off db-a1 first. " : ""}Change the file, restart ${node}, and wait until it is Synced before the next one.`,
    })),
    host_settings_command: HOST_SETTINGS_COMMAND,
  };
}
