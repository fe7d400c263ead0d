import type { StateTransfer } from "@/api/types";
import { formatBytes } from "@/lib/format/number";
import { type Column, DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { formatSpan } from "./span";

type Run = StateTransfer["runs"][number];

const COLUMNS: readonly Column<Run>[] = [
  {
    key: "case",
    header: "Run",
    isRowHeader: true,
    cell: ({ case: name, note }) => (
      <>
        {name}
        {note && <div className="faint">{note}</div>}
      </>
    ),
  },
  { key: "data", header: "Data", align: "right", cell: (run) => formatBytes(run.data_bytes) },
  {
    key: "time",
    header: "Took",
    align: "right",
    nowrap: true,
    cell: (run) => formatSpan(run.seconds),
  },
  { key: "source", header: "Source", cell: (run) => <span className="dim">{run.source}</span> },
];

/** SSTs that were run: the ones behind the forecast, and an article's. */
export function TransferRunsPanel({ runs }: { runs: readonly Run[] }) {
  return (
    <Panel title="SSTs that were run">
      <DataTable
        caption="SSTs that were run"
        columns={COLUMNS}
        rows={runs}
        rowKey={(run) => run.case}
        empty="None."
      />
    </Panel>
  );
}
