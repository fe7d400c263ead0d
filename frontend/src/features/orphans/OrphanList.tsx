import { useState } from "react";
import type { Orphan, OrphanRow } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber } from "@/lib/format/number";
import { SqlBlock } from "@/ui/SqlBlock";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Orphans.module.css";
import { type ColumnChange, compareColumns, summaryOf, tableName } from "./row-changes";

const GONE = { insert: "was not there", delete: "is no longer there" } as const;

function Value({ value, cell, gone }: { value: string | null; cell: ColumnChange; gone: string }) {
  if (value === null) return <td className="faint">{gone}</td>;
  return (
    <td className={cell.changed ? css.changed : css.same}>
      <code>{value}</code>
    </td>
  );
}

/** One row before and after, side by side; a changed column carries a mark, not a colour alone. */
function RowImages({ row }: { row: OrphanRow }) {
  const cells = compareColumns(row);
  return (
    <div className={css.row}>
      <p>
        <b>{row.operation}</b> <code>{tableName(row)}</code>
      </p>
      <table className={`grid ${css.images}`}>
        <thead>
          <tr>
            <th>Column</th>
            <th>Before</th>
            <th>
              <span className="sr-only">Changed?</span>
            </th>
            <th>After</th>
          </tr>
        </thead>
        <tbody>
          {cells.map((cell) => (
            <tr key={cell.column}>
              <td className="mono">{cell.column}</td>
              <Value value={cell.before} cell={cell} gone={GONE.insert} />
              <td className={css.mark}>{cell.changed ? "≠" : "="}</td>
              <Value value={cell.after} cell={cell} gone={GONE.delete} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Images({ orphan }: { orphan: Orphan }) {
  if (orphan.kind === "ddl")
    return (
      <SqlBlock
        statements={[orphan.statement ?? "-- the statement is not known"]}
        label="the schema change"
      />
    );
  return orphan.rows.map((row, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a transaction never move
    <RowImages key={index} row={row} />
  ));
}

function Transaction({ orphan, table }: { orphan: Orphan; table: string | undefined }) {
  const [open, setOpen] = useState(false);
  const rows = table ? orphan.rows.filter((row) => tableName(row) === table) : orphan.rows;
  return (
    <>
      <tr className={css.transaction} onClick={() => setOpen(!open)}>
        <td className="mono">
          <Timestamp at={orphan.at} />
        </td>
        <td className="mono">{orphan.seqno === null ? "–" : formatNumber(orphan.seqno)}</td>
        <td>
          <button type="button" className={css.open} aria-expanded={open}>
            {summaryOf(orphan)}
          </button>
          {orphan.refusal && (
            <div>
              <StatusChip tone="bad">cannot be told exactly</StatusChip>{" "}
              <span className="dim">{orphan.refusal}</span>
            </div>
          )}
        </td>
        <td className="num">{orphan.kind === "ddl" ? "DDL" : orphan.rows.length}</td>
        <td className="mono faint nowrap">{orphan.gtid ?? "no GTID"}</td>
      </tr>
      {open && (
        <tr>
          <td colSpan={5} className={css.detail}>
            <Images orphan={{ ...orphan, rows }} />
          </td>
        </tr>
      )}
    </>
  );
}

/** The transactions in the order in which the lost side committed them. */
export function OrphanList(props: { orphans: readonly Orphan[]; table: string | undefined }) {
  return (
    <div className="scroll">
      <table className="grid">
        <thead>
          <tr>
            <th>Committed</th>
            <th>Seqno</th>
            <th>What it did; open it for the rows</th>
            <th className="num">Rows</th>
            <th>GTID</th>
          </tr>
        </thead>
        <tbody>
          {props.orphans.map((orphan) => (
            <Transaction key={orphan.index} orphan={orphan} table={props.table} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
