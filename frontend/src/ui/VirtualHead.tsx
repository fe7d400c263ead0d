import { UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import type { Column } from "./columns";
import table from "./DataTable.module.css";
import { classesOf } from "./DataTableRow";
import type { Selection } from "./row-selection";
import css from "./VirtualDataTable.module.css";

export type SortOrder = "ascending" | "descending" | "none";

export interface SortableColumn<Row> extends Column<Row> {
  /** CSS width; the others share the rest. */
  width?: string;
  /** Left out, the table cannot be sorted by it. */
  sort?: { order: SortOrder; toggle: () => void } | undefined;
}

const ICONS = { ascending: IconArrowUp, descending: IconArrowDown, none: null };

function SortButton<Row>({ column }: { column: SortableColumn<Row> }) {
  if (!column.sort) return column.header;
  const Icon = ICONS[column.sort.order];
  return (
    <UnstyledButton className={css.sort} onClick={column.sort.toggle}>
      {column.header}
      {Icon && <Icon size={13} aria-hidden="true" />}
    </UnstyledButton>
  );
}

function SelectAll({ selection, keys }: { selection: Selection; keys: readonly string[] }) {
  const ref = useRef<HTMLInputElement>(null);
  const chosen = keys.filter((key) => selection.keys.has(key)).length;
  const isAll = keys.length > 0 && chosen === keys.length;
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = chosen > 0 && !isAll;
  }, [chosen, isAll]);
  return (
    <input
      ref={ref}
      type="checkbox"
      className={css.check}
      aria-label="Select all shown"
      checked={isAll}
      onChange={() => selection.toggleAll(keys)}
    />
  );
}

interface VirtualHeadProps<Row> {
  columns: readonly SortableColumn<Row>[];
  selection: Selection;
  /** Of all rows, also of those that are not drawn. */
  keys: readonly string[];
}

/** The head: selects all rows, and sorts by a column. */
export function VirtualHead<Row>({ columns, selection, keys }: VirtualHeadProps<Row>) {
  return (
    <>
      <colgroup>
        <col style={{ width: 34 }} />
        {columns.map((column) => (
          <col key={column.key} style={column.width ? { width: column.width } : undefined} />
        ))}
      </colgroup>
      <thead role="rowgroup" className={css.head}>
        <tr role="row" aria-rowindex={1}>
          <th role="columnheader" scope="col" className={table.toggleCell}>
            <SelectAll selection={selection} keys={keys} />
          </th>
          {columns.map((column) => (
            <th
              key={column.key}
              role="columnheader"
              scope="col"
              className={classesOf(column)}
              aria-sort={column.sort?.order}
            >
              <SortButton column={column} />
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}
