import { memo, type ReactNode } from "react";
import type { Column } from "./columns";
import table from "./DataTable.module.css";
import { classesOf, labelOf } from "./DataTableRow";
import css from "./VirtualDataTable.module.css";

/** Tells the table how tall the row is. */
type Measure = (element: Element | null) => void;

interface GroupRowProps {
  index: number;
  span: number;
  measure: Measure;
  children: ReactNode;
}

/** The heading of a group of rows. */
export function GroupRow({ index, span, measure, children }: GroupRowProps) {
  return (
    <tr role="row" aria-rowindex={index + 2} data-index={index} ref={measure} className={css.group}>
      <th role="rowheader" scope="rowgroup" colSpan={span}>
        {children}
      </th>
    </tr>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const shared = { "data-label": labelOf(column) };
  const content = <div className={table.value}>{column.cell(row)}</div>;
  return column.isRowHeader ? (
    <th
      {...shared}
      role="rowheader"
      scope="row"
      className={`${table.rowHeader} ${classesOf(column)}`}
    >
      {content}
    </th>
  ) : (
    <td {...shared} role="gridcell" className={classesOf(column)}>
      {content}
    </td>
  );
}

interface VirtualRowProps<Row> {
  id: string;
  index: number;
  row: Row;
  columns: readonly Column<Row>[];
  label: string;
  isActive: boolean;
  isSelected: boolean;
  toggle: (id: string) => void;
  activate: (id: string) => void;
  measure: Measure;
}

function Row<Data>(props: VirtualRowProps<Data>) {
  const { id, index, row, columns, label, isActive, isSelected, toggle, activate, measure } = props;
  return (
    <tr
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-index={index}
      data-row={id}
      ref={measure}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => activate(id)}
      className={`${table.detailed} ${css.row}`}
    >
      <td role="gridcell" className={table.toggleCell}>
        <input
          type="checkbox"
          className={css.check}
          tabIndex={-1}
          aria-label={`Select ${label}`}
          checked={isSelected}
          onChange={() => toggle(id)}
        />
      </td>
      {columns.map((column) => (
        <Cell key={column.key} column={column} row={row} />
      ))}
    </tr>
  );
}

/** One row; drawn again only when its own data, its place or its selection changes. */
export const VirtualRow = memo(Row) as typeof Row;
