import type { Rehearsal } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { operationLabel } from "@/domain/operations";
import { formatDuration, formatEstimate } from "@/lib/format/time";
import { type Column, DataTable, type MoreRows } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import { RehearsalDetails } from "./RehearsalDetails";
import { lossOf, resultOf } from "./rehearsal-status";

const COLUMNS: readonly Column<Rehearsal>[] = [
  {
    key: "at",
    header: "Rehearsed",
    cell: (rehearsal) => (
      <>
        <Timestamp at={rehearsal.at} />
        <div className="dim">{rehearsal.actor}</div>
      </>
    ),
  },
  {
    key: "operation",
    header: "Operation",
    isRowHeader: true,
    cell: (rehearsal) => (
      <>
        <span className="strong">{operationLabel(rehearsal.kind)}</span>
        <div className="dim">{rehearsal.sentence}</div>
      </>
    ),
  },
  {
    key: "result",
    header: "Result",
    cell: (rehearsal) => {
      const result = resultOf(rehearsal);
      return <StatusChip tone={result.tone}>{result.word}</StatusChip>;
    },
  },
  {
    key: "duration",
    header: "Duration",
    align: "right",
    cell: (rehearsal) => formatDuration(rehearsal.duration_ms / 1000),
  },
  {
    key: "estimate",
    header: "Estimated run",
    align: "right",
    cell: (rehearsal) => formatEstimate(rehearsal.estimate_s),
  },
  { key: "loss", header: "Data loss", align: "right", cell: lossOf },
];

/** The rehearsals with their result, their duration, and the data loss of the operation. */
export function RehearsalTable({
  rehearsals,
  more,
}: {
  rehearsals: readonly Rehearsal[];
  more: MoreRows | null;
}) {
  return (
    <DataTable
      caption="Rehearsals"
      columns={COLUMNS}
      rows={rehearsals}
      rowKey={(rehearsal) => rehearsal.id}
      empty="No rehearsals yet."
      details={(rehearsal) => <RehearsalDetails rehearsal={rehearsal} />}
      detailsLabel={(rehearsal) => `${operationLabel(rehearsal.kind)} rehearsal`}
      more={more}
    />
  );
}
