/** What a cluster said of its distance, in words. */
import type { ClusterConcurrency } from "@/api/types";
import { formatNumber } from "@/lib/format/number";

export type RunningNode = ClusterConcurrency["nodes"][number];
export type Answers = NonNullable<RunningNode["answers"]>;

const rounded = (value: number) =>
  formatNumber(value < 100 ? Math.round(value * 10) / 10 : Math.round(value));

/** One number where both bounds look the same. */
export function rangeText(low: number, high = low): string {
  const [from, to] = [rounded(low), rounded(high)];
  return from === to ? from : `${from} to ${to}`;
}

export const latencyText = ({ latency }: Pick<RunningNode, "latency">): string | null =>
  latency && `${rangeText(latency.min_ms, latency.mean_ms)} ms`;

/** Milliseconds, or seconds where they are many. */
export function costText({ low_ms: low, high_ms: high }: Answers["average"]): string {
  if (low === null || high === null) return "unknown";
  return low < 10_000 ? `${rangeText(low, high)} ms` : `${rangeText(low / 1000, high / 1000)} s`;
}

/** Why something is unknown, but for what the rate gives already. */
export const unknownReasons = ({ nodes, written }: ClusterConcurrency): readonly string[] =>
  nodes
    .flatMap(({ answers, answers_reason }) =>
      answers
        ? [answers.writers_reason, answers.average.reason, answers.largest.reason]
        : [answers_reason],
    )
    .filter((reason) => !written.reason.startsWith(reason));
