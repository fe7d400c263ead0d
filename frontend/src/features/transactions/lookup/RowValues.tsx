import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { lookupRowsQuery } from "@/api/resources/lookup";
import type { Link, LookupPosition, LookupRow, LookupRows, LookupTransaction } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { formatValue } from "@/lib/format/value";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { SkeletonLines } from "@/ui/Skeleton";

interface Cell {
  name: string;
  before: string | null;
  after: string | null;
}

const cellsOf = ({ before, after }: LookupRow): Cell[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].map((name) => ({
    name,
    before: before && formatValue(before[name]),
    after: after && formatValue(after[name]),
  }));

const shownValue = (value: string | null, absent: string) =>
  value === null ? <span className="faint">{absent}</span> : <code>{value}</code>;

const COLUMNS: readonly Column<Cell>[] = [
  nameColumn("Column", ({ name }) => name, { mono: true }),
  column("Before", ({ before }) => shownValue(before, "did not exist")),
  column("After", ({ before, after }) => (
    <>
      {shownValue(after, "was deleted")}
      {before !== null && after !== null && before !== after && (
        <span className="dim"> (changed)</span>
      )}
    </>
  )),
];

function Rows({ found }: { found: LookupRows }) {
  return (
    <div className="stack">
      {found.detail && <p className="dim">{found.detail}</p>}
      {found.rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a transaction have no identity but their order
        <div key={index}>
          <p>
            <b>{row.operation}</b>{" "}
            <code>
              {row.schema}.{row.table}
            </code>
          </p>
          <DataTable
            caption={`Row ${index + 1}, ${row.operation} ${row.schema}.${row.table}`}
            columns={COLUMNS}
            rows={cellsOf(row)}
            rowKey={({ name }) => name}
            empty="The columns of the row are unknown."
          />
        </div>
      ))}
    </div>
  );
}

function ReadRows({ link, location }: { link: Link; location: LookupPosition }) {
  const query = useQuery(lookupRowsQuery(link.id, location));
  if (query.data) return <Rows found={query.data} />;
  if (query.isError)
    return (
      <ProblemAlert error={query.error} action="read the rows" retry={() => void query.refetch()} />
    );
  return <SkeletonLines lines={3} />;
}

/** The rows before and after. They are business data: they are read when asked for, and the reader is recorded. */
export function RowValues({ link, transaction }: { link: Link; transaction: LookupTransaction }) {
  const [isAsked, setAsked] = useState(false);
  const held = transaction.nodes.find(({ location }) => location);
  if (!held?.location) return null;
  const location = {
    node: held.node_id,
    file: held.location.file,
    position: held.location.position,
  };
  if (isAsked) return <ReadRows link={link} location={location} />;
  return (
    <div className="row">
      <Button variant="default" size="xs" onClick={() => setAsked(true)}>
        Show rows
      </Button>
      <span className="dim">
        Reads the values from {held.node}. The audit log records who looked.
      </span>
    </div>
  );
}
