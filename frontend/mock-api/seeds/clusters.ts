/** Two sites of three nodes each, as the monitor would tell of them. */
import type { Cluster, Node } from "@/api/types";

const UUID_A = "9e48402b-c6a1-11f0-9d2e-3a8f1c0b7d11";
const UUID_B = "b17f2c90-c6a1-11f0-8a44-7f0e5d6c2a02";

export const now = () => new Date().toISOString();
export const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

function node(letter: "a" | "b", number: number): Node {
  const active = letter === "a";
  return {
    id: `n_${letter}${number}`,
    name: `db-${letter}${number}`,
    host: `127.0.${active ? 1 : 2}.${number}`,
    port: 3306,
    cluster_id: active ? "c_milan" : "c_frankfurt",
    cluster_name: active ? "milan" : "frankfurt",
    observed_at: now(),
    age_s: 0.6,
    reach: "up",
    reachable: true,
    error: "",
    since: ago(86_400),
    eligibility: { eligible: true, reason: null },
    flavor: "mariadb",
    version: "10.11.19-MariaDB-log",
    watched_only: null,
    is_accepted: false,
    server_id: (active ? 20 : 30) + number,
    hostname: `db-${letter}${number}`,
    read_only: !active,
    uptime_s: 86_400 * 9,
    clock_offset_s: 0.02,
    probe_ms: 0.7 + number / 10,
    wsrep: {
      cluster_status: "Primary",
      state: "Synced",
      local_state: 4,
      ready: true,
      connected: true,
      cluster_size: 3,
      state_uuid: active ? UUID_A : UUID_B,
      last_committed: active ? 221_465_100 : 90_318_007,
      conf_id: 12,
      recv_queue: 0,
    },
    channels: [],
    binlog: {
      file: `mariadb-bin.0002${10 + number}`,
      position: 884_641_120 + number,
      first_file: "mariadb-bin.000188",
      files: 24,
      size_bytes: 12_884_901_888,
    },
    variables: {
      binlog_format: "ROW",
      log_slave_updates: "ON",
      wsrep_gtid_mode: "OFF",
      sync_binlog: "1",
    },
  };
}

/** The monitor password of each cluster stays in a file of the host. */
const accounts = (name: string): Cluster["accounts"] => [
  {
    role: "monitor",
    user: "hawser_monitor",
    reference: `file:/run/secrets/hawser/${name}_monitor`,
    read_at: ago(20),
    read_problem: null,
  },
  ...["operator", "replication"].map((role) => ({
    role,
    user: `hawser_${role}`,
    reference: null,
    read_at: null,
    read_problem: null,
  })),
];

function cluster(letter: "a" | "b", name: string, site: string): Cluster {
  return {
    id: `c_${name}`,
    name,
    site,
    environment: "production",
    state_uuid: letter === "a" ? UUID_A : UUID_B,
    tls: {
      mode: "verify_identity",
      has_ca: true,
      has_client_certificate: true,
      key_reference: null,
    },
    nodes: [node(letter, 1), node(letter, 2), node(letter, 3)],
    accounts: accounts(name),
    version: 1,
    created_at: ago(86_400 * 30),
    retired_at: null,
  };
}

export const milan = () => cluster("a", "milan", "Milan");
export const frankfurt = () => cluster("b", "frankfurt", "Frankfurt");

/** db-a1 has been refusing connections for a while. */
export function lost(node: Node, seconds: number): Node {
  return {
    ...node,
    reach: "refused",
    reachable: false,
    error: "Can't connect to server on '127.0.1.1' (111)",
    since: ago(seconds),
    eligibility: {
      eligible: false,
      reason: { code: "node_unreachable", message: "login refused" },
    },
    observed_at: ago(seconds),
    age_s: seconds,
    wsrep: null,
    channels: null,
    binlog: null,
    read_only: null,
    clock_offset_s: null,
    probe_ms: null,
  };
}
