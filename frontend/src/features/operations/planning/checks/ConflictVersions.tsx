import { formatValue } from "@/lib/format/value";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import css from "./ConflictsPanel.module.css";
import type { Conflict } from "./conflicts";

type Row = Record<string, unknown> | null | undefined;

/** The active side's node among the versions of a row. */
const activeNode = (conflict: Conflict): string =>
  Object.keys(conflict.values).find((version) => version !== "orphan" && version !== "before") ??
  "active side";

const Value = ({ row, column }: { row: Row; column: string }) =>
  row ? <code>{formatValue(row[column])}</code> : <span className="faint">no row</span>;

/** The versions of a row side by side; a column is marked where the active side and the orphan differ. */
export function ConflictVersions({ conflict }: { conflict: Conflict }) {
  const node = activeNode(conflict);
  const { before, orphan } = conflict.values;
  const active = conflict.values[node];
  const names = Object.keys(active ?? orphan ?? before ?? {});
  if (names.length === 0)
    return (
      <p className="dim">
        Row values are not shown. They are visible to operators only, for the first 200 conflicts,
        and only where a key identifies the row.
      </p>
    );
  const differs = (name: string) => formatValue(active?.[name]) !== formatValue(orphan?.[name]);
  const marked = (row: Row) => (name: string) => (
    <span className={differs(name) ? css.differs : undefined}>
      <Value row={row} column={name} />
    </span>
  );
  const columns: Column<string>[] = [
    nameColumn("Column", (name) => (differs(name) ? <span title="differs">≠ {name}</span> : name), {
      mono: true,
    }),
    column("Before", (name) => <Value row={before} column={name} />),
    column("Orphaned transaction", marked(orphan)),
    column(node, marked(active)),
  ];
  return (
    <DataTable
      caption={`Versions of the row of ${conflict.table}`}
      columns={columns}
      rows={names}
      rowKey={(name) => name}
      empty="No columns."
    />
  );
}
