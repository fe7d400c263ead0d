import type { StateTransfer } from "@/api/types";
import { column, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { FigureTable, figure } from "../FigureTable";
import { formatSpan } from "./span";

type Run = StateTransfer["runs"][number];

/** As it was measured: to the tenth of a second, or to the second after two minutes. */
const took = (seconds: number) => (seconds < 120 ? `${seconds.toFixed(1)} s` : formatSpan(seconds));

const COLUMNS = [
  nameColumn<Run>("Run", ({ case: name, note }) => (
    <>
      {name}
      {note && <div className="faint">{note}</div>}
    </>
  )),
  figure<Run>("Data", (run) => `${run.data_bytes / 1e9} GB`),
  figure<Run>("Took", ({ seconds }) => took(seconds)),
  column<Run>("Source", ({ source }) => <span className="dim">{source}</span>),
];

/** SSTs that were run: the ones behind the forecast, and an article's. */
export function TransferRunsPanel({ runs }: { runs: readonly Run[] }) {
  return (
    <Panel title="SSTs that were run">
      <FigureTable
        caption="SSTs that were run"
        columns={COLUMNS}
        rows={runs}
        rowKey={(run) => run.case}
        empty="None."
      />
    </Panel>
  );
}
