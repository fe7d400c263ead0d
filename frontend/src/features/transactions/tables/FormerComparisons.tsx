import type { TableComparison } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber } from "@/lib/format/number";
import { type Column, column, DataTable, nameColumn, numberColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { statusOf } from "./comparison-status";

const COLUMNS: readonly Column<TableComparison>[] = [
  nameColumn("Begun", (comparison) => (
    <>
      <AppLink
        to="/links/$linkId/tables/$comparisonId"
        params={{ linkId: comparison.link_id, comparisonId: comparison.id }}
      >
        <Timestamp at={comparison.started_at} />
      </AppLink>
      <div className="dim">{comparison.actor}</div>
    </>
  )),
  column("Result", (comparison) => {
    const { tone, word } = statusOf(comparison);
    return (
      <>
        <StatusChip tone={tone}>{word}</StatusChip>
        {comparison.sentence && <div className="dim">{comparison.sentence}</div>}
      </>
    );
  }),
  numberColumn("Rows compared", (comparison) => formatNumber(comparison.rows)),
  numberColumn("Rows that differ", (comparison) => formatNumber(comparison.different)),
];

/** The comparisons before the newest one. */
export function FormerComparisons({ rows }: { rows: readonly TableComparison[] }) {
  return (
    <Panel title="Former comparisons" aside="newest first">
      <DataTable
        caption="Former comparisons"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
        empty="No former comparisons."
      />
    </Panel>
  );
}
