/** The network of a link, as the server would tell of it. */
import type { Network, NetworkExchange, NetworkMeasurement } from "@/api/types";
import { ago, now } from "./clusters";

const exchange = (kb: number, in_flight: number, p50: number, p95: number): NetworkExchange => ({
  request_bytes: kb * 1024,
  response_bytes: 32 * 1024,
  in_flight,
  transactions: 214,
  rate_per_s: (1000 / p50) * in_flight,
  sent_mbit_s: 92.4,
  received_mbit_s: 30.1,
  latency: {
    min_ms: p50 * 0.97,
    mean_ms: p50 * 1.05,
    p50_ms: p50,
    p95_ms: p95,
    p99_ms: p95 * 1.3,
    max_ms: p95 * 2,
  },
});

const settings = {
  "net.ipv4.tcp_rmem": "4096 131072 33554432",
  "net.core.netdev_max_backlog": "1000",
};

const measured = (id: string, secondsAgo: number): NetworkMeasurement => ({
  id,
  from_node_id: "n_a1",
  from_node: "db-a1",
  to_node_id: "n_b1",
  to_node: "db-b1",
  is_signed: true,
  is_recent: true,
  actor: "network-probe",
  measured_at: ago(secondsAgo),
  stored_at: ago(secondsAgo - 30),
  remote_address: "10.2.0.11",
  round_trip: exchange(1, 1, 10.2, 10.9).latency,
  exchanges: [
    exchange(32, 1, 10.9, 12.4),
    exchange(32, 7, 12.8, 18.1),
    exchange(120, 7, 41.3, 66),
    exchange(1024, 1, 96.2, 118),
  ],
  sent_mbit_s: 412.7,
  received_mbit_s: 398.2,
  packets: 12_845,
  retransmitted_percent: 0.02,
  path_mtu_bytes: 1500,
  clock_offset_ms: -1.84,
  clock_error_ms: 5.1,
  congestion_control: "cubic",
  remote_congestion_control: "bbr",
  host_settings: settings,
  remote_host_settings: { ...settings, "net.core.netdev_max_backlog": "50000" },
});

const old = (): NetworkMeasurement => ({
  ...measured("m_old", 86_400 * 40),
  is_signed: false,
  is_recent: false,
  actor: "operator-1",
  path_mtu_bytes: null,
  packets: null,
  retransmitted_percent: null,
  congestion_control: "",
  remote_congestion_control: "",
  host_settings: {},
  remote_host_settings: {},
});

const script = { sha256: "5f1c".repeat(16), bytes: 27_412 };
const reason = (code: string, effect: "for" | "note" | "missing", sentence: string) => ({
  code,
  effect,
  sentence,
});

/** A line that was measured with the probe. */
export const network = (): Network => ({
  verdict: {
    kind: "synchronous_with_segments",
    sentence: "One Galera cluster can span this distance, with a segment for each site.",
    reasons: [
      reason(
        "commit_time",
        "for",
        "A round trip takes 10.2 ms (typical, hawser-network-probe), so a commit takes at least 10.61 ms; that is within the 25 ms that your applications accept.",
      ),
      reason(
        "small_write_set",
        "for",
        "A write-set of 32 KB takes 12.4 ms (hawser-network-probe) to the other site and back; that is within the limit of 50 ms.",
      ),
      reason(
        "throughput",
        "note",
        "The narrower direction carries 398.2 Mbit/s (hawser-network-probe). The peak rate of write-sets is unknown, so nothing follows for the load of the line.",
      ),
    ],
    rests_on: 1,
    unsigned: 0,
    max_commit_ms: 25,
    peak_write_mbit_s: null,
    remote_nodes: 3,
  },
  measurements: [measured("m_probe", 1800), old()],
  script,
});

/** A line without measurements. */
export const unmeasured = (): Network => ({
  verdict: {
    ...network().verdict,
    kind: "unknown",
    sentence: "Not enough was measured to say whether one Galera cluster can span this distance.",
    reasons: [
      reason(
        "round_trip",
        "missing",
        "The round trip between the sites is unknown. Run the probe.",
      ),
      reason("throughput", "missing", "The throughput is unknown in a direction. Run the probe."),
    ],
    rests_on: 0,
  },
  measurements: [],
  script,
});

export const pasted = (): NetworkMeasurement => ({
  ...measured("m_pasted", 60),
  is_signed: false,
  actor: "admin",
});

export const sqlNodes = () => ({
  read_at: now(),
  nodes: ["db-a1", "db-a2", "db-b1"].map((node, index) => ({
    node_id: `n_${node}`,
    node,
    cluster: index < 2 ? "milan" : "frankfurt",
    console_round_trip_ms: index < 2 ? 4.2 + index : null,
    group_latency:
      index === 0 ? { min_ms: 0.412, mean_ms: 0.618, max_ms: 3.9, samples: 1240 } : null,
    delayed: index < 2 ? [] : null,
    cluster_size: index < 2 ? 3 : null,
    error: index < 2 ? "" : "no response within 6 s",
  })),
});
