import type { NodeAbsence } from "@/api/types";
import { formatBytes } from "@/lib/format/number";
import { type Column, DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { formatSpan } from "./span";

type Rate = NodeAbsence["rates"][number];

const LABELS: Record<Rate["window"], string> = {
  minutes: "Last 5 min",
  hour: "Last hour",
  week: "Last week",
  busiest_hour: "Busiest hour of the week",
};

const perSecond = (value: number | null, text: (value: number) => string, reason: string) =>
  value === null ? (
    <span className="faint" title={reason}>
      unknown
    </span>
  ) : (
    text(value)
  );

const COLUMNS: readonly Column<Rate>[] = [
  { key: "window", header: "Time", isRowHeader: true, cell: ({ window }) => LABELS[window] },
  {
    key: "sets",
    header: "Write-sets/s",
    align: "right",
    cell: (rate) => perSecond(rate.write_sets_per_s, (value) => value.toFixed(1), rate.reason),
  },
  {
    key: "bytes",
    header: "Bytes/s",
    align: "right",
    cell: (rate) => perSecond(rate.bytes_per_s, formatBytes, rate.reason),
  },
  {
    key: "covered",
    header: "Counted",
    cell: ({ covered_s: covered, length_s: length, reason }) =>
      covered === null ? (
        <span className="dim">{reason}</span>
      ) : (
        `${formatSpan(covered)} of ${formatSpan(length)}`
      ),
  },
];

/** How much the cluster writes: what the times are computed with. */
export function WriteRatePanel({ absence }: { absence: NodeAbsence }) {
  return (
    <Panel title="Write rate of the cluster">
      <DataTable
        caption={`Write rate of ${absence.cluster_name}`}
        columns={COLUMNS}
        rows={absence.rates}
        rowKey={(rate) => rate.window}
        empty="No rate is known."
      />
    </Panel>
  );
}
