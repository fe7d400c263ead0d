import type { ClusterConcurrency } from "@/api/types";
import { formatBytes, formatNumber } from "@/lib/format/number";
import { type Column, DataTable } from "@/ui/DataTable";
import {
  type Answers,
  costText,
  latencyText,
  type RunningNode,
  rangeText,
} from "./running-figures";

const UNKNOWN = <span className="faint">unknown</span>;
const numberOr = (value: number | null | undefined) =>
  value === null || value === undefined ? UNKNOWN : formatNumber(value);

const SAID: readonly Column<RunningNode>[] = [
  { key: "node", header: "Node", isRowHeader: true, nowrap: true, cell: (row) => row.node },
  { key: "members", header: "Members", align: "right", cell: (row) => numberOr(row.members) },
  {
    key: "latency",
    header: "Delivery, fastest to mean",
    align: "right",
    cell: (row) => (row.latency ? latencyText(row) : UNKNOWN),
  },
  {
    key: "samples",
    header: "Samples",
    align: "right",
    cell: (row) => numberOr(row.latency?.samples),
  },
  {
    key: "window",
    header: "Send window",
    align: "right",
    cell: (row) => numberOr(row.send_window),
  },
];

interface Answered {
  node: string;
  answers: Answers;
}

const rateColumn = (writers: number): Column<Answered> => ({
  key: `w${writers}`,
  header: writers === 1 ? "1 writer" : `${writers} writers`,
  align: "right",
  cell: ({ answers }) => {
    const rate = answers.rates.find((one) => one.writers === writers);
    const { low_per_s: low, high_per_s: high } = rate ?? { low_per_s: null, high_per_s: null };
    return low === null || high === null ? UNKNOWN : `${rangeText(low, high)}/s`;
  },
});

function Cost({ of }: { of: Answers["average"] }) {
  if (of.size_bytes === null || of.round_trips === null) return UNKNOWN;
  return (
    <>
      {costText(of)}
      <br />
      <span className="dim">
        {formatBytes(of.size_bytes)}, {rangeText(of.round_trips, of.round_trips)} round trips
      </span>
    </>
  );
}

const REACHED: readonly Column<Answered>[] = [
  { key: "node", header: "Writers on", isRowHeader: true, nowrap: true, cell: (row) => row.node },
  ...[1, 8, 32, 64].map(rateColumn),
  {
    key: "needed",
    header: "For the present rate",
    align: "right",
    cell: ({ answers: { writers_needed: needed } }) =>
      needed ? `${rangeText(needed.low, needed.high)} writers` : UNKNOWN,
  },
  {
    key: "average",
    header: "Average write-set",
    align: "right",
    cell: ({ answers }) => <Cost of={answers.average} />,
  },
  {
    key: "largest",
    header: "Largest permitted",
    align: "right",
    cell: ({ answers }) => <Cost of={answers.largest} />,
  },
];

/** What each node said, and what writers on it reach. */
export function RunningTables({ found }: { found: ClusterConcurrency }) {
  const answered = found.nodes.flatMap(({ node, answers }) => (answers ? [{ node, answers }] : []));
  return (
    <>
      <DataTable
        caption={`What the nodes of ${found.cluster_name} say`}
        columns={SAID}
        rows={found.nodes}
        rowKey={(row) => row.node_id}
        empty="This cluster has no nodes."
      />
      {answered.length > 0 && (
        <DataTable
          caption={`Commits of ${found.cluster_name} by the number of writers`}
          columns={REACHED}
          rows={answered}
          rowKey={(row) => row.node}
          empty="No node has an answer."
        />
      )}
    </>
  );
}
