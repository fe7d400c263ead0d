import type { ClusterConcurrency } from "@/api/types";
import { formatBytes, formatNumber } from "@/lib/format/number";
import { nameColumn } from "@/ui/DataTable";
import { FigureTable, figure } from "../FigureTable";
import {
  type Answers,
  costText,
  latencyText,
  type RunningNode,
  rangeText,
  unknownReasons,
} from "./running-figures";

const numberOf = (value: number | null | undefined) =>
  value === null || value === undefined ? null : formatNumber(value);

const SAID = [
  nameColumn<RunningNode>("Node", ({ node }) => node, { nowrap: true }),
  figure<RunningNode>("Members", ({ members }) => numberOf(members)),
  figure<RunningNode>("Delivery, fastest to mean", latencyText),
  figure<RunningNode>("Samples", ({ latency }) => numberOf(latency?.samples)),
  figure<RunningNode>("Send window", ({ send_window: window }) => numberOf(window)),
];

interface Answered {
  node: string;
  answers: Answers;
}

const rate = (writers: number) =>
  figure<Answered>(writers === 1 ? "1 writer" : `${writers} writers`, ({ answers: { rates } }) => {
    const found = rates.find((one) => one.writers === writers);
    const [low, high] = [found?.low_per_s ?? null, found?.high_per_s ?? null];
    return low === null || high === null ? null : `${rangeText(low, high)}/s`;
  });

const cost = (header: string, name: "average" | "largest") =>
  figure<Answered>(header, ({ answers }) => {
    const of = answers[name];
    if (of.size_bytes === null || of.round_trips === null) return null;
    return (
      <>
        {costText(of)}
        <br />
        <span className="dim">
          {formatBytes(of.size_bytes)}, {rangeText(of.round_trips)} round trips
        </span>
      </>
    );
  });

const REACHED = [
  nameColumn<Answered>("Writers on", ({ node }) => node, { nowrap: true }),
  ...[1, 8, 32, 64].map(rate),
  figure<Answered>(
    "For the present rate",
    ({ answers: { writers_needed: needed } }) =>
      needed && `${rangeText(needed.low, needed.high)} writers`,
  ),
  cost("Average write-set", "average"),
  cost("Largest permitted", "largest"),
];

/** What each node said, and what writers on it reach. */
export function RunningTables({ found }: { found: ClusterConcurrency }) {
  const reasons = unknownReasons(found);
  const answered = found.nodes.flatMap(({ node, answers }) => (answers ? [{ node, answers }] : []));
  return (
    <>
      <FigureTable
        caption={`What the nodes of ${found.cluster_name} say`}
        columns={SAID}
        rows={found.nodes}
        empty="This cluster has no nodes."
        reasons={answered.length > 0 ? [] : reasons}
      />
      {answered.length > 0 && (
        <FigureTable
          caption={`Commits of ${found.cluster_name} by the number of writers`}
          columns={REACHED}
          rows={answered}
          empty="No node has an answer."
          reasons={reasons}
        />
      )}
    </>
  );
}
