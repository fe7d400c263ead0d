/** What the nodes of a cluster say of their distance: milan is 50 ms wide; of frankfurt nothing is known. */
import type { Cluster, ClusterConcurrency } from "@/api/types";
import { now } from "./clusters";

type Node = ClusterConcurrency["nodes"][number];

const NOT_COUNTED =
  "Fewer than two readings of this time are of a synced member, so no write-sets were counted. There is one a minute.";

const ANSWERS: Node["answers"] = {
  rates: [
    { writers: 1, low_per_s: 18.6, high_per_s: 19.23 },
    { writers: 8, low_per_s: 106.72, high_per_s: 110.34 },
    { writers: 32, low_per_s: 364.09, high_per_s: 376.47 },
    { writers: 64, low_per_s: 728.19, high_per_s: 752.94 },
  ],
  writers_needed: { low: 3, high: 3 },
  writers_reason: "",
  average: {
    size_bytes: 1296,
    fragments: 1,
    round_trips: 1.06,
    low_ms: 53,
    high_ms: 54.8,
    reason: "",
  },
  largest: {
    size_bytes: 2_147_483_647,
    fragments: 65_802,
    round_trips: 32_901.7,
    low_ms: 1_645_086,
    high_ms: 1_701_019,
    reason: "",
  },
};

const unknownNode = (node_id: string, node: string, why: string, answered: boolean): Node => ({
  node_id,
  node,
  members: answered ? 3 : null,
  latency: null,
  latency_reason: why,
  send_window: answered ? 2 : null,
  send_window_reason: answered ? "" : why,
  answers: null,
  answers_reason: why,
});

function nodeOf({ id, name }: Cluster["nodes"][number], index: number, isKnown: boolean): Node {
  if (!isKnown)
    return unknownNode(
      id,
      name,
      `${name} did not answer: no response within 4 s. Make it reachable and read again.`,
      false,
    );
  if (index > 0)
    return unknownNode(
      id,
      name,
      `No sample: nothing was written on ${name} since its last report (evs.stats_report_period PT1M). Read again while it writes.`,
      true,
    );
  return {
    ...unknownNode(id, name, "", true),
    latency: { min_ms: 50.2, mean_ms: 51.7, max_ms: 62.9, samples: 1240 },
    answers: ANSWERS,
  };
}

export function clusterConcurrencyOf({ id, name, nodes }: Cluster): ClusterConcurrency {
  const isKnown = id === "c_milan";
  return {
    cluster_id: id,
    cluster_name: name,
    read_at: now(),
    registered: nodes.length,
    measured_writers: 64,
    written: isKnown
      ? { commits_per_s: 42.4, average_bytes: 1296, counted_s: 3600, reason: "" }
      : {
          commits_per_s: null,
          average_bytes: null,
          counted_s: null,
          reason: `${NOT_COUNTED} Read again when the monitor has counted for ten minutes.`,
        },
    nodes: nodes.map((node, index) => nodeOf(node, index, isKnown)),
    given: {
      from_node: isKnown ? (nodes[0]?.name ?? null) : null,
      one_way_ms: isKnown ? 25 : null,
      send_window: isKnown ? 2 : null,
      wanted_per_s: isKnown ? 42.4 : null,
    },
  };
}
