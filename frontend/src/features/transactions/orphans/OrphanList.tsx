import type { Orphan } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber } from "@/lib/format/number";
import {
  type Column,
  column,
  DataTable,
  type MoreRows,
  nameColumn,
  numberColumn,
} from "@/ui/DataTable";
import { SqlBlock } from "@/ui/SqlBlock";
import { StatusChip } from "@/ui/StatusChip";
import { ChangedRow } from "./ChangedRow";
import { summaryOf, tableName } from "./row-changes";

function Details({ orphan, table }: { orphan: Orphan; table: string | undefined }) {
  if (orphan.kind === "ddl")
    return (
      <SqlBlock
        statements={[orphan.statement ?? "-- the statement is unknown"]}
        label="the schema change"
      />
    );
  const rows = orphan.rows.filter((row) => table === undefined || tableName(row) === table);
  return rows.map((row, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a transaction never move
    <ChangedRow key={index} row={row} />
  ));
}

const COLUMNS: readonly Column<Orphan>[] = [
  column("Committed", (orphan) => <Timestamp at={orphan.at} />, { mono: true }),
  column("Seqno", (orphan) => formatNumber(orphan.seqno), { mono: true }),
  nameColumn("Changes", (orphan) => (
    <>
      {summaryOf(orphan)}
      {orphan.refusal && (
        <div>
          <StatusChip tone="bad">cannot be read exactly</StatusChip>{" "}
          <span className="dim">{orphan.refusal}</span>
        </div>
      )}
    </>
  )),
  numberColumn("Rows", (orphan) =>
    orphan.kind === "ddl" ? "DDL" : formatNumber(orphan.rows.length),
  ),
  column("GTID", (orphan) => <span className="faint">{orphan.gtid ?? "no GTID"}</span>, {
    nowrap: true,
    mono: true,
  }),
];

interface OrphanListProps {
  orphans: readonly Orphan[];
  table: string | undefined;
  more: MoreRows | null;
}

/** The transactions in the order in which the lost side committed them. */
export function OrphanList({ orphans, table, more }: OrphanListProps) {
  return (
    <DataTable
      caption="Orphaned transactions"
      columns={COLUMNS}
      rows={orphans}
      rowKey={(orphan) => orphan.index}
      empty="None of the loaded transactions changes this table."
      details={(orphan) => <Details orphan={orphan} table={table} />}
      detailsLabel={summaryOf}
      more={more}
    />
  );
}
