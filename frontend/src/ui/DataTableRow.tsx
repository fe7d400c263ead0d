import { Table, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import type { Column } from "./columns";
import css from "./DataTable.module.css";
import { useIsPrinting } from "./use-is-printing";

export const classesOf = <Row,>(column: Column<Row>): string =>
  [column.align === "right" && css.right, column.nowrap && css.nowrap, column.mono && css.mono]
    .filter(Boolean)
    .join(" ");

/** The heading of the column as the label of a cell in a card; none where it is no plain text. */
export const labelOf = <Row,>({ header }: Column<Row>) =>
  typeof header === "string" ? header : undefined;

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const content = <div className={css.value}>{column.cell(row)}</div>;
  const shared = { "data-label": labelOf(column) };
  return column.isRowHeader ? (
    <Table.Th
      {...shared}
      role="rowheader"
      scope="row"
      className={`${css.rowHeader} ${classesOf(column)}`}
    >
      {content}
    </Table.Th>
  ) : (
    <Table.Td {...shared} role="cell" className={classesOf(column)}>
      {content}
    </Table.Td>
  );
}

interface PlainRowProps<Row> {
  columns: readonly Column<Row>[];
  row: Row;
}

const cellsOf = <Row,>({ columns, row }: PlainRowProps<Row>) =>
  columns.map((column) => <Cell key={column.key} column={column} row={row} />);

/** A row without details. */
export const PlainRow = <Row,>(props: PlainRowProps<Row>) => (
  <Table.Tr role="row">{cellsOf(props)}</Table.Tr>
);

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

interface DetailedRowProps<Row> extends PlainRowProps<Row> {
  /** Null where the row has none. */
  details: ReactNode;
  label: string;
  isOpenAtFirst: boolean;
}

/** A row with a button that opens its details below it. */
export function DetailedRow<Row>({
  details,
  label,
  isOpenAtFirst,
  ...plain
}: DetailedRowProps<Row>) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const isPrinting = useIsPrinting();
  const id = useId();
  const toggle = () => setOpen(!isOpen);
  return (
    <>
      <Table.Tr role="row" className={css.detailed}>
        <Table.Td role="cell" className={css.toggleCell}>
          {details !== null && (
            <DetailsButton label={label} isOpen={isOpen} id={id} toggle={toggle} />
          )}
        </Table.Td>
        {cellsOf(plain)}
      </Table.Tr>
      {(isOpen || isPrinting) && details !== null && (
        <Table.Tr role="row" id={id}>
          <Table.Td role="cell" colSpan={plain.columns.length + 1} className={css.details}>
            {details}
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}
