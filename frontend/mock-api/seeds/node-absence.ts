/** How long the nodes of milan may be away: two members, and one that left twenty minutes ago. */
import type { AbsenceTime, AbsentNode, Cluster, DonorAdvice, NodeAbsence } from "@/api/types";
import { ago, now } from "./clusters";

type Window = AbsenceTime["window"];

const WINDOWS: readonly Window[] = ["minutes", "hour", "week", "busiest_hour"];
const NOT_COUNTED = "No hour of the last week was counted for half an hour or more.";
const COMMITTED = 221_465_100;
const HELD = 101_680;

const rate = (window: Window, length_s: number, sets: number | null, covered_s: number | null) => ({
  window,
  length_s,
  covered_s,
  write_sets_per_s: sets,
  bytes_per_s: sets === null ? null : sets * 1296,
  reason: sets === null ? NOT_COUNTED : "",
});

const RATES = [
  rate("minutes", 300, 61.2, 300),
  rate("hour", 3600, 42.4, 3600),
  rate("week", 604_800, 18.7, 421_200),
  rate("busiest_hour", 3600, null, null),
];

const time = (window: Window, seconds: number | null): AbsenceTime => ({
  window,
  state: seconds === null ? "unknown" : "known",
  seconds,
  reason: seconds === null ? NOT_COUNTED : "",
});

const times = (sets: number) =>
  WINDOWS.map((window, at) => {
    const { write_sets_per_s: perSecond } = RATES[at] ?? { write_sets_per_s: null };
    return time(window, perSecond === null ? null : sets / perSecond);
  });

const SEGMENT = "It is in the same segment (0).";
const READ = "It cannot be read now.";

const donor = (id: string, rest: Partial<DonorAdvice>): DonorAdvice => ({
  id: `n_${id}`,
  name: `db-${id}`,
  is_possible: true,
  is_advised: false,
  reasons_for: [SEGMENT],
  reasons_against: [],
  ...rest,
});

const A1 = donor("a1", {
  reasons_against: [
    "It holds a channel of a link, which falls behind while it is a donor.",
    "It is a writer: 87% of the last hour's bytes are its own.",
  ],
});
const A2 = donor("a2", {
  is_advised: true,
  reasons_for: [
    SEGMENT,
    "It holds no channel of a link.",
    "Next to nothing is written on it (less than 1 % of the last hour's bytes).",
  ],
});
const A3 = donor("a3", { is_possible: false, reasons_for: [], reasons_against: [READ] });

const member = (id: string, donors: DonorAdvice[]): AbsentNode => ({
  id: `n_${id}`,
  name: `db-${id}`,
  verdict: "member",
  reason: "It is a synced member.",
  last_seqno: COMMITTED,
  last_read_at: now(),
  missed_write_sets: 0,
  times: times(HELD),
  gcache: {
    size_bytes: 134_217_728,
    cached_downto: COMMITTED - HELD + 1,
    held_write_sets: HELD,
    is_full: true,
    reason: "",
  },
  segment: "0",
  donors,
  alarm_since: null,
});

const away = (): AbsentNode => ({
  ...member("a3", [A2, A1]),
  verdict: "ist",
  reason: "The gcache of a donor still holds all that it is missing.",
  last_seqno: COMMITTED - 81_400,
  last_read_at: ago(1260),
  missed_write_sets: 81_400,
  times: times(HELD - 81_400),
  gcache: {
    size_bytes: null,
    cached_downto: null,
    held_write_sets: null,
    is_full: null,
    reason: "db-a3 was not read.",
  },
  segment: null,
  alarm_since: ago(120),
});

export const absenceOf = (cluster: Cluster): NodeAbsence => ({
  cluster_id: cluster.id,
  cluster_name: cluster.name,
  at: now(),
  threshold_s: 600,
  rates: cluster.name === "milan" ? RATES : RATES.map(unreadRate),
  nodes:
    cluster.name === "milan"
      ? [member("a1", [A2, A3]), member("a2", [{ ...A1, is_advised: true }, A3]), away()]
      : cluster.nodes.map((node) => unread(node.id, node.name)),
});

const NEVER = "The node was not read as a synced member in the last eight days.";

const unreadRate = ({ window, length_s: length }: NodeAbsence["rates"][number]) => ({
  ...rate(window, length, null, null),
  reason:
    "Fewer than two readings of this time are of a synced member, so no write-sets were counted. There is one a minute.",
});

/** A node of which nothing was counted. */
const unread = (id: string, name: string): AbsentNode => ({
  ...away(),
  id,
  name,
  verdict: "unknown",
  reason: NEVER,
  last_seqno: null,
  last_read_at: null,
  missed_write_sets: null,
  times: WINDOWS.map((window) => ({ window, state: "unknown", seconds: null, reason: NEVER })),
  donors: [],
  alarm_since: null,
});
