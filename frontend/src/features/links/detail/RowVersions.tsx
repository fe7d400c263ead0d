import type { ChannelError } from "@/api/types";
import { formatValue } from "@/lib/format/value";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import css from "./ChannelErrors.module.css";
import { type RowVersion, versionsOf } from "./channel-errors";

interface RowColumn {
  name: string;
  isKey: boolean;
  isDiffering: boolean;
}

const NAME: Column<RowColumn> = nameColumn(
  "Column",
  ({ name, isKey, isDiffering }) => (
    <>
      {isDiffering && <span title="differs">≠ </span>}
      {name}
      {isKey && <span className="faint"> key</span>}
    </>
  ),
  { mono: true },
);

const versionColumn = ({ head, image, absent }: RowVersion): Column<RowColumn> =>
  column(head, ({ name, isDiffering }) =>
    image ? (
      <code className={`${css.value} ${isDiffering ? css.differs : ""}`}>
        {formatValue(image[name])}
      </code>
    ) : (
      <span className="faint">{absent}</span>
    ),
  );

/** The row as the transaction, the source and the replica have it. */
export function RowVersions({ error }: { error: ChannelError }) {
  const row = error.row;
  if (!row) return null;
  const columns = Object.keys(row.after ?? row.before ?? {}).map((name) => ({
    name,
    isKey: row.key.includes(name),
    isDiffering: row.differing.includes(name),
  }));
  return (
    <DataTable
      caption={`Row of ${row.schema}.${row.table}`}
      columns={[NAME, ...versionsOf(error).map((version) => versionColumn(version))]}
      rows={columns}
      rowKey={(column) => column.name}
      empty="The columns of the row are unknown."
    />
  );
}
