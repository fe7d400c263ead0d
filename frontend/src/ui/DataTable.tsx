import { Button, Table, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { Fragment, type ReactNode, useId, useState } from "react";
import css from "./DataTable.module.css";

export interface Column<Row> {
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers are aligned to the right and not wrapped. */
  align?: "right";
  nowrap?: boolean;
  mono?: boolean;
  /** The cell that names the row, for screen readers. */
  isRowHeader?: boolean;
}

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
  /** Rows begin opened. */
  isOpen?: boolean;
  more?: MoreRows | null | undefined;
}

const classesOf = <Row,>(column: Column<Row>): string =>
  [column.align === "right" && css.right, column.nowrap && css.nowrap, column.mono && css.mono]
    .filter(Boolean)
    .join(" ");

function Cells<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  return columns.map((column) =>
    column.isRowHeader ? (
      <Table.Th key={column.key} scope="row" className={`${css.rowHeader} ${classesOf(column)}`}>
        {column.cell(row)}
      </Table.Th>
    ) : (
      <Table.Td key={column.key} className={classesOf(column)}>
        {column.cell(row)}
      </Table.Td>
    ),
  );
}

function DetailsButton(props: { label: string; isOpen: boolean; id: string; toggle: () => void }) {
  const Icon = props.isOpen ? IconChevronDown : IconChevronRight;
  return (
    <UnstyledButton
      className={css.toggle}
      aria-expanded={props.isOpen}
      aria-controls={props.id}
      aria-label={`Details: ${props.label}`}
      onClick={props.toggle}
    >
      <Icon size={15} aria-hidden="true" />
    </UnstyledButton>
  );
}

function DetailedRow<Row>(props: DataTableProps<Row> & { row: Row }) {
  const { columns, row, details, detailsLabel } = props;
  const [isOpen, setOpen] = useState(props.isOpen ?? false);
  const id = useId();
  const content = details?.(row) ?? null;
  return (
    <Fragment>
      <Table.Tr>
        <Table.Td className={css.toggleCell}>
          {content !== null && (
            <DetailsButton
              label={detailsLabel?.(row) ?? String(props.rowKey(row))}
              isOpen={isOpen}
              id={id}
              toggle={() => setOpen(!isOpen)}
            />
          )}
        </Table.Td>
        <Cells columns={columns} row={row} />
      </Table.Tr>
      {isOpen && content !== null && (
        <Table.Tr id={id}>
          <Table.Td colSpan={columns.length + 1} className={css.details}>
            {content}
          </Table.Td>
        </Table.Tr>
      )}
    </Fragment>
  );
}

/**
 * The one table of the console: named, with scoped headers, an empty state, rows that open, and a
 * button for more rows. Wider than the screen, it scrolls inside its own focusable region.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, empty, details, more } = props;
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
        <Table className={css.table} verticalSpacing={7} horizontalSpacing={8}>
          <Table.Caption className={css.caption}>{caption}</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              {details && (
                <Table.Th scope="col" className={css.toggleCell}>
                  <span className="sr-only">Details</span>
                </Table.Th>
              )}
              {columns.map((column) => (
                <Table.Th key={column.key} scope="col" className={classesOf(column)}>
                  {column.header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) =>
              details ? (
                <DetailedRow key={rowKey(row)} {...props} row={row} />
              ) : (
                <Table.Tr key={rowKey(row)}>
                  <Cells columns={columns} row={row} />
                </Table.Tr>
              ),
            )}
          </Table.Tbody>
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
