import type { OrphanRow } from "@/api/types";
import { actionColumn, type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import css from "./Orphans.module.css";
import { type ColumnChange, compareColumns, tableName } from "./row-changes";

function Value(props: { value: string | null; change: ColumnChange; absent: string }) {
  const { value, change, absent } = props;
  if (value === null) return <span className="faint">{absent}</span>;
  return <code className={change.changed ? css.changed : css.same}>{value}</code>;
}

const COLUMNS: readonly Column<ColumnChange>[] = [
  nameColumn("Column", (change) => change.column, { mono: true }),
  column("Before", (change) => (
    <Value value={change.before} change={change} absent="did not exist" />
  )),
  actionColumn("Difference", ({ changed }) => (
    <span className={css.mark} title={changed ? "changed" : "unchanged"}>
      {changed ? "≠" : "="}
    </span>
  )),
  column("After", (change) => <Value value={change.after} change={change} absent="was deleted" />),
];

/** One row before and after its change; a changed column has a mark besides its color. */
export function RowImages({ row }: { row: OrphanRow }) {
  return (
    <div className={css.row}>
      <p>
        <b>{row.operation}</b> <code>{tableName(row)}</code>
      </p>
      <DataTable
        caption={`Row of ${tableName(row)}`}
        columns={COLUMNS}
        rows={compareColumns(row)}
        rowKey={(change) => change.column}
        empty="The columns of the row are unknown."
      />
    </div>
  );
}
