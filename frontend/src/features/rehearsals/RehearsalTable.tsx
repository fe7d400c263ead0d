import type { Rehearsal } from "@/api/types";
import { FindingList } from "@/components/FindingList";
import { Timestamp } from "@/components/Timestamp";
import { operationLabel } from "@/domain/operations";
import { pluralize } from "@/lib/format/number";
import { formatDuration, formatEstimate } from "@/lib/format/time";
import { type Column, DataTable, type MoreRows } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import { lossOf, resultOf } from "./rehearsal-status";

function Detail({ rehearsal }: { rehearsal: Rehearsal }) {
  return (
    <div className="stack">
      <table className="grid">
        <thead>
          <tr>
            <th>Part</th>
            <th>Held?</th>
            <th className="num">Took</th>
            <th>What it says</th>
          </tr>
        </thead>
        <tbody>
          {rehearsal.timings.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a rehearsal never move
            <tr key={index}>
              <td>{part.check}</td>
              <td>
                <StatusChip tone={part.ok ? "ok" : "bad"}>
                  {part.ok ? "held" : "did not hold"}
                </StatusChip>
              </td>
              <td className="num">{formatDuration(part.ms / 1000)}</td>
              <td className="dim">{part.sentence}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rehearsal.loss.detail && (
        <p className="dim">
          <b>Loss: </b>
          {rehearsal.loss.detail}
        </p>
      )}
      <FindingList findings={rehearsal.findings} showCodes />
      <p className="faint">
        {pluralize(rehearsal.steps.length, "step")} would have been run. {rehearsal.summary}
      </p>
    </div>
  );
}

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
    cell: (rehearsal) => <span className="strong">{operationLabel(rehearsal.kind)}</span>,
  },
  {
    key: "result",
    header: "Result",
    cell: (rehearsal) => {
      const result = resultOf(rehearsal);
      return <StatusChip tone={result.tone}>{result.word}</StatusChip>;
    },
  },
  { key: "outcome", header: "Outcome", cell: (rehearsal) => rehearsal.sentence },
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

/** Rehearsals with their result, their times, and the data loss that the operation would have cost. */
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
      empty="No rehearsal yet."
      details={(rehearsal) => <Detail rehearsal={rehearsal} />}
      detailsLabel={(rehearsal) => `${operationLabel(rehearsal.kind)} rehearsal`}
      more={more}
    />
  );
}
