import type { OrphanRow } from "@/api/types";
import { RowImages } from "../RowImages";
import css from "./Orphans.module.css";
import { tableName } from "./row-changes";

/** One row before and after its change. */
export function ChangedRow({ row }: { row: OrphanRow }) {
  return (
    <div className={css.row}>
      <p>
        <b>{row.operation}</b> <code>{tableName(row)}</code>
      </p>
      <RowImages
        caption={`Row of ${tableName(row)}`}
        first={{ header: "Before", absent: "did not exist", image: row.before }}
        second={{ header: "After", absent: "was deleted", image: row.after }}
      />
    </div>
  );
}
