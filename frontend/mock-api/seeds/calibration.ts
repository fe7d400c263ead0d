/** Measurements that write to the probe schema, as the server would tell of them. */
import type { Calibration, Heartbeat } from "@/api/types";
import { ago } from "./clusters";

const common = {
  link_id: null,
  actor: "olaf",
  reason: "CHG-2304 new line between the sites",
  state: "finished",
  stop_code: "",
  sentence: "",
} as const;

const step = (
  writers: number,
  per_s: number,
  p50: number,
  model: [number, number],
  apart: number,
) => ({
  writers,
  commits: Math.round(per_s * 2),
  per_s,
  p50_ms: p50,
  p95_ms: p50 * 1.9,
  model_low_per_s: model[0],
  model_high_per_s: model[1],
  apart_percent: apart,
  reason: "",
});

export const calibration = (id: string, clusterId: string, node: string): Calibration => ({
  ...common,
  id,
  cluster_id: clusterId,
  node_id: `n_${node.slice(3)}`,
  node,
  settings: { seconds: 6, rows: 200, row_bytes: 100, writers: [1, 4, 16] },
  started_at: ago(90),
  ended_at: ago(83),
  result: {
    console_ms: 0.4,
    latency: { min_ms: 50.2, mean_ms: 51.7, max_ms: 62.9, samples: 431 },
    latency_reason: "",
    send_window: 2,
    steps: [
      step(1, 18.9, 51.7, [18.5, 19.1], 0),
      step(4, 75.2, 52.1, [64.2, 66.3], 13.4),
      step(16, 158.3, 63.4, [181.6, 188.1], -12.8),
    ],
  },
});

export const heartbeat = (linkId: string): Heartbeat => ({
  ...common,
  id: "z_beat",
  link_id: linkId,
  cluster_id: "c_milan",
  node_id: "n_a1",
  node: "db-a1",
  settings: { rows: 20, pause_s: 0.2 },
  started_at: ago(3_700),
  ended_at: ago(3_695),
  result: {
    nodes: [
      {
        node_id: "n_b1",
        node: "db-b1",
        median_ms: 31.4,
        error_ms: 8.2,
        least_ms: 27.9,
        most_ms: 48.1,
        is_bound: false,
        seen: 20,
        missed: 0,
        reason: "",
      },
      {
        node_id: "n_b2",
        node: "db-b2",
        median_ms: 6.1,
        error_ms: 8.4,
        least_ms: 4.2,
        most_ms: 19.4,
        is_bound: true,
        seen: 19,
        missed: 1,
        reason: "",
      },
      {
        node_id: "n_b3",
        node: "db-b3",
        median_ms: null,
        error_ms: null,
        least_ms: null,
        most_ms: null,
        is_bound: false,
        seen: 0,
        missed: 0,
        reason:
          "0 of 20 rows were seen in time, and 5 are needed. See whether the channel runs, and how far it is behind.",
      },
    ],
  },
});
