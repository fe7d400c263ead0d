import { actionColumn, type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import css from "./RowImages.module.css";
import { type ComparedColumn, compareColumns, type RowImage } from "./row-images";

function Value(props: { value: string | null; differs: boolean; absent: string }) {
  const { value, differs, absent } = props;
  if (value === null) return <span className="faint">{absent}</span>;
  return <code className={differs ? css.differs : css.same}>{value}</code>;
}

/** An image with its heading, and what stands there where the row does not exist. */
export interface NamedImage {
  header: string;
  absent: string;
  image: RowImage;
}

const valueColumn = (
  { header, absent }: NamedImage,
  side: "first" | "second",
): Column<ComparedColumn> =>
  column(header, (pair) => <Value value={pair[side]} differs={pair.differs} absent={absent} />);

const COLUMN: Column<ComparedColumn> = nameColumn("Column", (pair) => pair.column, { mono: true });
const DIFFERENCE: Column<ComparedColumn> = actionColumn("Difference", ({ differs }) => (
  <span className={css.mark} title={differs ? "different" : "equal"}>
    {differs ? "≠" : "="}
  </span>
));

/** Two images of one row side by side; a column that differs has a mark besides its color. */
export function RowImages(props: { caption: string; first: NamedImage; second: NamedImage }) {
  const { caption, first, second } = props;
  return (
    <DataTable
      caption={caption}
      columns={[COLUMN, valueColumn(first, "first"), DIFFERENCE, valueColumn(second, "second")]}
      rows={compareColumns(first.image, second.image)}
      rowKey={(pair) => pair.column}
      empty="The columns of the row are unknown."
    />
  );
}
