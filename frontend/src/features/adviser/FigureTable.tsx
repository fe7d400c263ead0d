import type { ReactNode } from "react";
import { type Column, DataTable, numberColumn } from "@/ui/DataTable";
import { Unknown } from "@/ui/Unknown";
import { reasonsOf } from "./reasons";

/** A figure of a row; null is unknown, for the reason that the row may have. */
export const figure = <Row,>(
  header: string,
  of: (row: Row) => ReactNode,
  why: (row: Row) => string | undefined = () => undefined,
): Column<Row> => numberColumn(header, (row) => of(row) ?? <Unknown why={why(row)} />);

interface FigureTableProps<Row> {
  caption: string;
  /** The first one names the row, and is its key where it is plain text. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey?: (row: Row) => string | number;
  empty: string;
  details?: (row: Row) => ReactNode;
  detailsLabel?: (row: Row) => string;
  /** Why figures are unknown: below the table, each sentence once. */
  reasons?: readonly string[];
}

/** A table of figures, and why some are unknown. */
export function FigureTable<Row>({ reasons = [], ...table }: FigureTableProps<Row>) {
  const nameOf = (row: Row) => {
    const name = table.columns[0]?.cell(row);
    return typeof name === "string" || typeof name === "number" ? name : "";
  };
  return (
    <>
      <DataTable<Row> rowKey={nameOf} {...table} />
      {reasonsOf(reasons).map((reason) => (
        <p key={reason} className="dim">
          {reason}
        </p>
      ))}
    </>
  );
}
