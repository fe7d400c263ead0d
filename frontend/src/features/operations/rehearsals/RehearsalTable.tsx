import type { Rehearsal } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { operationLabel } from "@/domain/operations";
import { formatDuration, formatEstimate } from "@/lib/format/time";
import {
  type Column,
  column,
  DataTable,
  type MoreRows,
  nameColumn,
  numberColumn,
} from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import { RehearsalDetails } from "./RehearsalDetails";
import { lossOf, resultOf } from "./rehearsal-status";

const COLUMNS: readonly Column<Rehearsal>[] = [
  column("Rehearsed", (rehearsal) => (
    <>
      <Timestamp at={rehearsal.at} />
      <div className="dim">{rehearsal.actor}</div>
    </>
  )),
  nameColumn("Operation", (rehearsal) => (
    <>
      <span className="strong">{operationLabel(rehearsal.kind)}</span>
      <div className="dim">{rehearsal.sentence}</div>
    </>
  )),
  column("Result", (rehearsal) => {
    const result = resultOf(rehearsal);
    return <StatusChip tone={result.tone}>{result.word}</StatusChip>;
  }),
  numberColumn("Duration", (rehearsal) => formatDuration(rehearsal.duration_ms / 1000)),
  numberColumn("Estimated run", (rehearsal) => formatEstimate(rehearsal.estimate_s)),
  numberColumn("Data loss", lossOf),
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
