/** The bandwidth of milan, one cluster over two sites in two segments; of any other nothing is known. */
import type { Bandwidth, Cluster } from "@/api/types";
import { ago } from "./clusters";

export interface EnteredBandwidth {
  mbit: number | null;
}

const RATE = 54_950;
const LOW = 1.11;
const HIGH = 1.18;
const UNCOUNTED =
  "Fewer than two readings of this time are of a synced member, so no write-sets were counted. There is one a minute.";
const NO_WEEK =
  "The write-sets of 0 of the last 7 days were counted for twelve hours or more; a forecast needs 4 such days.";

const span = (copies: number, rate = RATE) => ({
  low: copies * rate * LOW,
  high: copies * rate * HIGH,
});
const relayed = (rate: number) => ({ low: 0, high: rate * HIGH });
const line = (copies: number, rate = RATE) => ({
  low: copies * rate * LOW,
  high: copies * rate * 1.45,
});
const NONE = { low: 0, high: 0 };

const own = (rate: number | null) =>
  (["hour", "week"] as const).map((window) => ({
    window,
    bytes_per_s: rate === null ? null : window === "hour" ? rate : rate * 0.44,
    reason: rate === null ? UNCOUNTED : "",
  }));

const computed = (window: "hour" | "week", rate: number): Bandwidth["computed"][number] => ({
  window,
  reason: "",
  pairs: [
    { sender: "db-a1", receiver: "db-a2", ...span(1, rate) },
    { sender: "db-a1", receiver: "db-a3", ...span(1, rate) },
    { sender: "db-a2", receiver: "db-a1", ...NONE },
    { sender: "db-a2", receiver: "db-a3", ...NONE },
    { sender: "db-a3", receiver: "db-a1", ...NONE },
    { sender: "db-a3", receiver: "db-a2", ...NONE },
  ],
  across: [
    { sender: "0", receiver: "1", ...line(1, rate) },
    { sender: "1", receiver: "0", ...NONE },
  ],
  outbound: [
    { node: "db-a1", ...span(2, rate) },
    { node: "db-a2", ...relayed(0) },
    { node: "db-a3", ...relayed(0) },
  ],
  to_other_members: NONE,
});

const unknownTraffic = (window: "hour" | "week"): Bandwidth["computed"][number] => ({
  window,
  reason: "The segment of db-b1, db-b2, db-b3 is unknown.",
  pairs: [],
  across: [],
  outbound: [],
  to_other_members: null,
});

const BY_COUNT = [2, 3, 4, 5, 6, 7].map((nodes) => {
  const near = Math.ceil(nodes / 2);
  const far = nodes - near;
  return {
    nodes,
    near,
    far,
    outbound_one: span(nodes - 1),
    outbound_two: span(near),
    across_one: line(far),
    across_two: line(1),
  };
});

const MEASURED: Bandwidth["measured"] = [
  [1, 1, 1.11, 1.13, 1.11, 1.13, 172, 200] as const,
  [2, 1, 2.33, 2.37, 1.3, 1.23, 342, 368] as const,
  [2, 2, 3.55, 2.51, 2.65, 1.33, null, null] as const,
  [3, 2, 4.7, 3.81, 2.86, 1.45, null, null] as const,
].map(([near, far, writer_one, writer_two, across_one, across_two, low, high]) => ({
  near,
  far,
  writer_one,
  writer_two,
  across_one,
  across_two,
  article_low_kb: low,
  article_high_kb: high,
}));

const unknownOf = (cluster: Cluster): Bandwidth => ({
  cluster_id: cluster.id,
  cluster_name: cluster.name,
  at: ago(1),
  nodes: cluster.nodes.map(({ id, name }) => ({
    id,
    name,
    segment: null,
    is_member: true,
    written: own(null),
  })),
  segments: null,
  segments_reason: "The segment of db-b1, db-b2, db-b3 is unknown.",
  other_members: 1,
  advice: [],
  computed: [unknownTraffic("hour"), unknownTraffic("week")],
  by_count: { bytes_per_s: null, reason: UNCOUNTED, rows: [] },
  measured: MEASURED,
  capacity: null,
  line: {
    kind: "unknown",
    sender: "",
    receiver: "",
    reason: "The segment of db-b1, db-b2, db-b3 is unknown.",
  },
  loads: (["hour", "week", "busiest_hour"] as const).map((window) => ({
    window,
    low: null,
    high: null,
    share: null,
    reason: UNCOUNTED,
  })),
  growth: {
    now_bytes_per_s: null,
    per_day: null,
    error: null,
    days: null,
    is_growing: null,
    reason: NO_WEEK,
  },
  until_full: { state: "unknown", days: null, reason: "The capacity of the line is not entered." },
});

const load = (window: "hour" | "week" | "busiest_hour", rate: number, mbit: number | null) => ({
  window,
  ...line(1, rate),
  share: mbit === null ? null : (rate * 1.45) / (mbit * 125_000),
  reason: "",
});

const untilFull = (mbit: number | null): Bandwidth["until_full"] =>
  mbit === null
    ? { state: "unknown", days: null, reason: "The capacity of the line is not entered." }
    : { state: "known", days: 41.7, reason: "If the writes go on growing as in the last 7 days." };

export function bandwidthOf(cluster: Cluster, entered: EnteredBandwidth): Bandwidth {
  const base = unknownOf(cluster);
  if (cluster.name !== "milan") return base;
  const { mbit } = entered;
  return {
    ...base,
    nodes: cluster.nodes.map(({ id, name }, at) => ({
      id,
      name,
      segment: at === 2 ? "1" : "0",
      is_member: true,
      written: own(at === 0 ? RATE : 0),
    })),
    segments: ["0", "1"],
    segments_reason: "",
    other_members: 0,
    computed: [computed("hour", RATE), computed("week", RATE * 0.44)],
    by_count: { bytes_per_s: RATE, reason: "", rows: BY_COUNT },
    capacity: mbit === null ? null : { mbit_per_s: mbit, by: "olga", at: ago(30) },
    line: { kind: "across", sender: "0", receiver: "1", reason: "" },
    loads: [
      load("hour", RATE, mbit),
      load("week", RATE * 0.44, mbit),
      load("busiest_hour", RATE * 1.9, mbit),
    ],
    growth: {
      now_bytes_per_s: 26_600,
      per_day: 710,
      error: 190,
      days: 7,
      is_growing: true,
      reason: "",
    },
    until_full: untilFull(mbit),
  };
}
