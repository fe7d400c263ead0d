import { Button, Table } from "@mantine/core";
import type { ReactNode } from "react";
import type { Column } from "./columns";
import css from "./DataTable.module.css";
import { classesOf, DetailedRow, PlainRow } from "./DataTableRow";

export { actionColumn, type Column, column, nameColumn, numberColumn } from "./columns";

/** The button below a list that has more pages. */
export interface MoreRows {
  isLoading: boolean;
  load: () => void;
}

interface DataTableProps<Row> {
  /** What the table lists, as a noun: the table's name for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** Shown instead of an empty table. */
  empty: ReactNode;
  /** Details of a row, opened below it; null where a row has none. */
  details?: (row: Row) => ReactNode;
  /** Names a row in the label of its details button. */
  detailsLabel?: (row: Row) => string;
  /** Whether the details are open from the start, as behind a link to one row. */
  isOpen?: boolean;
  more?: MoreRows | null | undefined;
}

function Head<Row>({ columns, details }: DataTableProps<Row>) {
  return (
    <Table.Thead role="rowgroup">
      <Table.Tr role="row">
        {details && (
          <Table.Th role="columnheader" scope="col" className={css.toggleCell}>
            <span className="sr-only">Details</span>
          </Table.Th>
        )}
        {columns.map((column) => (
          <Table.Th key={column.key} role="columnheader" scope="col" className={classesOf(column)}>
            {column.header}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}

function Body<Row>({ columns, rows, rowKey, details, ...props }: DataTableProps<Row>) {
  return (
    <Table.Tbody role="rowgroup">
      {rows.map((row) =>
        details ? (
          <DetailedRow
            key={rowKey(row)}
            columns={columns}
            row={row}
            details={details(row)}
            label={props.detailsLabel?.(row) ?? String(rowKey(row))}
            isOpenAtFirst={props.isOpen ?? false}
          />
        ) : (
          <PlainRow key={rowKey(row)} columns={columns} row={row} />
        ),
      )}
    </Table.Tbody>
  );
}

/**
 * The one table of the console: named, with scoped headers, an empty state, rows that open, and a
 * button for more rows. On a phone each row is a card with a label at each value; the roles are
 * written out because a browser takes them from a table that is displayed as something else.
 * Wider than the screen, it scrolls inside its own focusable region.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, rows, empty, more } = props;
  if (rows.length === 0) return <p className={css.empty}>{empty}</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, and a section would be one more landmark of the panel's name */}
      <div
        role="group"
        className={css.scroll}
        aria-label={caption}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <Table role="table" className={css.table} verticalSpacing={7} horizontalSpacing={8}>
          <Table.Caption className={css.caption}>{caption}</Table.Caption>
          <Head {...props} />
          <Body {...props} />
        </Table>
      </div>
      {more && (
        <Button variant="default" size="xs" mt={10} loading={more.isLoading} onClick={more.load}>
          Load more
        </Button>
      )}
    </>
  );
}
