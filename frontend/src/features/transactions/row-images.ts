/** Two images of one row for comparison, column by column. */
import { formatValue } from "@/lib/format/value";

/** The values of a row by column; null where there is no such row. */
export type RowImage = Readonly<Record<string, unknown>> | null;

export interface ComparedColumn {
  column: string;
  /** Null: the row does not exist, or has no such column. */
  first: string | null;
  second: string | null;
  differs: boolean;
}

const shown = (image: RowImage, column: string) =>
  image && column in image ? formatValue(image[column]) : null;

/** Both images of a row; a column that only one image has is null in the other. */
export function compareColumns(one: RowImage, other: RowImage): ComparedColumn[] {
  const columns = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])];
  return columns.map((column) => {
    const first = shown(one, column);
    const second = shown(other, column);
    return { column, first, second, differs: first !== second };
  });
}
