/** Whether the replicas of a link keep up: calm, or falling behind since the loss. */
import type { ApplyCapacity, DirectionCapacity, LinkDetail } from "@/api/types";
import { ago } from "./clusters";

const quiet = (direction: "forward" | "reverse", from: string, to: string): DirectionCapacity => ({
  direction,
  source_node: { id: `n_${from}`, name: from },
  replica_node: { id: `n_${to}`, name: to },
  from: ago(3600),
  to: ago(0),
  verdict: "keeps_up",
  gap_transactions: direction === "forward" ? 24 : 0,
  writes_per_s: direction === "forward" ? 86.4 : 0.4,
  writes_high_per_s: direction === "forward" ? 312 : 1.2,
  applied_per_s: direction === "forward" ? 86.2 : 0.4,
  capacity_per_s: direction === "forward" ? 940 : null,
  drain_s: direction === "forward" ? 0.03 : 0,
  appliers: { parallel_threads: 4, parallel_mode: "optimistic", galera_threads: 4 },
  reasons:
    direction === "forward"
      ? [
          {
            code: "gap_small",
            sentence: "The replica lacks 24 transactions, less than it applies in 5 s.",
            facts: { gap_transactions: 24 },
          },
        ]
      : [
          {
            code: "both_sides_write",
            sentence:
              "The receiving side accepts writes of its own. Transactions of both sides cannot be distinguished in the rates.",
            facts: {},
          },
        ],
});

const behind = (found: DirectionCapacity): DirectionCapacity => ({
  ...found,
  verdict: "falls_behind",
  gap_transactions: 12_400,
  applied_per_s: 41,
  drain_s: null,
  appliers: { parallel_threads: 0, parallel_mode: "optimistic", galera_threads: 4 },
  reasons: [
    {
      code: "gap_grows",
      sentence: "The replica lacks 12,400 transactions, 9,300 more than 580 s before.",
      facts: { gap_transactions: 12_400, grew_by: 9300, over_s: 580 },
    },
    {
      code: "no_drain_seen",
      sentence: "No backlog was worked off in this time, so how long one takes is unknown.",
      facts: {},
    },
    {
      code: "one_applier",
      sentence:
        "One thread applies, so every transaction waits for the commit of the one before it.",
      facts: { slave_parallel_threads: 0 },
    },
  ],
});

const stopped = (found: DirectionCapacity): DirectionCapacity => ({
  ...found,
  verdict: "unknown",
  gap_transactions: null,
  drain_s: null,
  reasons: [
    {
      code: "channel_not_running",
      sentence:
        "The channel does not replicate: its source db-a1 is down. Whether its replica keeps up is unknown until it does.",
      facts: {},
    },
  ],
});

export function applyCapacity(link: LinkDetail | undefined, isCalm: boolean): ApplyCapacity {
  const forward = quiet("forward", "db-a1", "db-b1");
  const reverse = quiet("reverse", "db-b1", "db-a1");
  const isOf = (direction: string) => link?.channels.find((one) => one.direction === direction);
  const isStopped = (direction: string) => isOf(direction)?.state !== "running";
  return {
    results: [
      isStopped("forward") ? stopped(forward) : isCalm ? forward : behind(forward),
      isStopped("reverse") ? stopped(reverse) : reverse,
    ],
  };
}
