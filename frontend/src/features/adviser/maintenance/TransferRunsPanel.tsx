import type { StateTransfer } from "@/api/types";
import { type Column, DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { formatSpan } from "./span";

type Run = StateTransfer["runs"][number];

/** As it was measured: to the tenth of a second, or to the second after two minutes. */
const took = (seconds: number) => (seconds < 120 ? `${seconds.toFixed(1)} s` : formatSpan(seconds));

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
  { key: "data", header: "Data", align: "right", cell: (run) => `${run.data_bytes / 1e9} GB` },
  {
    key: "time",
    header: "Took",
    align: "right",
    nowrap: true,
    cell: ({ seconds }) => took(seconds),
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
