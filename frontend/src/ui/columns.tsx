import type { ReactNode } from "react";

export interface Column<Row> {
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers are aligned to the right and not wrapped. */
  align?: "right";
  nowrap?: boolean;
  mono?: boolean;
  /** The cell that names the row, for screen readers and as the heading of its card. */
  isRowHeader?: boolean;
}

type Cell<Row> = Column<Row>["cell"];
type Look = Pick<Column<never>, "align" | "nowrap" | "mono">;

/** A column that is known by its heading. */
export const column = <Row,>(header: string, cell: Cell<Row>, look?: Look): Column<Row> => ({
  key: header,
  header,
  cell,
  ...look,
});

/** The column that names the row. */
export const nameColumn = <Row,>(header: string, cell: Cell<Row>, look?: Look): Column<Row> => ({
  ...column(header, cell, look),
  isRowHeader: true,
});

/** A column of numbers. */
export const numberColumn = <Row,>(header: string, cell: Cell<Row>, look?: Look): Column<Row> => ({
  ...column(header, cell, look),
  align: "right",
});

/** A column of buttons, whose heading is only read aloud. */
export const actionColumn = <Row,>(name: string, cell: Cell<Row>, look?: Look): Column<Row> => ({
  ...column(name, cell, look),
  header: <span className="sr-only">{name}</span>,
});
