import type { NodeAbsence } from "@/api/types";
import { formatBytes } from "@/lib/format/number";
import { column, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { WINDOWS } from "../bandwidth/rates";
import { FigureTable, figure } from "../FigureTable";
import { formatSpan } from "./span";

type Rate = NodeAbsence["rates"][number];

const why = ({ reason }: Rate) => reason;

const COLUMNS = [
  nameColumn<Rate>("Time", ({ window }) => WINDOWS[window]),
  figure<Rate>("Write-sets/s", ({ write_sets_per_s: sets }) => sets?.toFixed(1), why),
  figure<Rate>("Bytes/s", ({ bytes_per_s: b }) => (b === null ? null : formatBytes(b)), why),
  column<Rate>("Counted", ({ covered_s: covered, length_s: length, reason }) =>
    covered === null ? (
      <span className="dim">{reason}</span>
    ) : (
      `${formatSpan(covered)} of ${formatSpan(length)}`
    ),
  ),
];

/** How much the cluster writes: what the times are computed with. */
export function WriteRatePanel({ absence }: { absence: NodeAbsence }) {
  return (
    <Panel title="Write rate of the cluster">
      <FigureTable
        caption={`Write rate of ${absence.cluster_name}`}
        columns={COLUMNS}
        rows={absence.rates}
        empty="No rate is known."
      />
    </Panel>
  );
}
