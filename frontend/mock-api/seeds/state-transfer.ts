/** An SST forecast as the API gives it: the copy is unknown until a size and a rate are given. */
import type { Cluster, StateTransfer, TransferGiven, TransferJoiner } from "@/api/types";
import { now } from "./clusters";
import { absenceOf } from "./node-absence";

type Part = TransferJoiner["parts"][number];

const NO_SIZE =
  "Give data_bytes: the size of the donor's data directory, or the sum of DATA_LENGTH and INDEX_LENGTH in information_schema.TABLES. Hawser does not read it.";
const FOLLOWS = "It follows from copy and prepare, which are not both known.";

const CHECKLIST: StateTransfer["checklist"] = [
  {
    key: "donor",
    title: "Name the donor",
    what: "Set wsrep_sst_donor of the joiner to a node that is neither the writer nor holds a channel, in its segment. A comma after the name allows the others, too.",
    evidence: "Article: 21 to 18.5 min. Not measured here.",
  },
  {
    key: "memory",
    title: "Memory for the prepare",
    what: "Today's script passes the joiner's innodb_buffer_pool_size as --use-memory. Set use-memory in [sst] only where the pool is small.",
    evidence:
      "Article: 51 to 30 min, the largest gain. Here: the log shows --use-memory with the size of the pool.",
  },
  {
    key: "compression",
    title: "Compression on a thin line",
    what: "Set compressor and decompressor in [sst] (pigz or zstd), and install them on both ends first: a missing one fails with a vague error.",
    evidence:
      "Article: 25.5 to 21 min, and the donor starved. Not measured here; a plain Debian has neither.",
  },
  {
    key: "limit",
    title: "A limit for the sake of commits",
    what: "Where commits use the same line, set rlimit in [sst]; it needs pv on the donor.",
    evidence:
      "Measured without it at 200 Mbit/s: a commit took 107 ms instead of 52. rlimit itself was not measured.",
  },
];

type Run = StateTransfer["runs"][number];

const runsOf = (source: string, data_bytes: number, rows: readonly [string, number, string][]) =>
  rows.map(([name, seconds, note]): Run => ({ case: name, seconds, data_bytes, source, note }));

const MEASURED = runsOf("measured: MariaDB 10.11.19, mariabackup, tmpfs, one run", 1e9, [
  ["Idle donor, no distance", 33.7, "1.15 GB sent; prepare 0.15 s"],
  ["Four writers at full speed, no distance", 36.1, "76,600 commits; copy 26 s, prepare 1.3 s"],
  ["Idle donor, 50 ms round trip", 45.9, "1.24 GB sent"],
  ["Idle donor, 50 ms, 200 Mbit/s", 67, "a commit over the same line took 107 ms instead of 52"],
]);

const ARTICLE = runsOf("article of 2015: 16 cores", 5e10, [
  ["As shipped", 3060, ""],
  ["With 20 GB of memory for the prepare", 1800, "today the joiner's buffer pool is used"],
  ["And with 32 appliers", 1530, ""],
  ["And with parallel compression at both ends", 1260, "starves the donor of processors"],
  ["And with a dedicated donor", 1110, ""],
]);

const part = (name: Part["name"], seconds: number | null, basis: string, reason = ""): Part => ({
  name,
  state: seconds === null ? "unknown" : "known",
  seconds,
  reason: seconds === null ? reason : "",
  basis,
});

function partsOf(copy: number | null): Part[] {
  return [
    part("start", 10, "Measured: about 10 s beside the copy, for start, view and restart."),
    part(
      "copy",
      copy,
      "Data x 1.24 (measured: 1.15 to 1.24 bytes sent for each byte of data) / rate.",
      NO_SIZE,
    ),
    part(
      "prepare",
      copy === null ? null : copy * 0.0007,
      "Write-sets of the copy's time / 58,900 a second (measured on tmpfs).",
      "It follows from the copy, which is unknown.",
    ),
    part(
      "catch_up",
      copy === null ? null : copy * 2.26,
      "Write-sets queued meanwhile / (what the joiner applies a second - what is written a second).",
      FOLLOWS,
    ),
  ];
}

export function transferOf(cluster: Cluster, given: TransferGiven): StateTransfer {
  const { data_bytes: size, line_mbit_per_s: line } = given;
  const copy = size && line ? (size * 1.24 * 8) / (line * 1e6) : null;
  const parts = partsOf(copy);
  return {
    cluster_id: cluster.id,
    cluster_name: cluster.name,
    at: now(),
    joiners: absenceOf(cluster).nodes.map(({ id, name, donors }) => ({
      id,
      name,
      method: "mariabackup",
      parts,
      known_s: parts.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0),
      is_whole: copy !== null,
      queued_bytes: copy === null ? null : Math.round(copy * 54_950),
      apply_per_s: 61.2,
      donors,
    })),
    checklist: CHECKLIST,
    runs: [...MEASURED, ...ARTICLE],
  };
}
