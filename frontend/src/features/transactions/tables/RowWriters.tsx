import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { rowWritersQuery } from "@/api/resources/table-comparisons";
import type { LoggedRowChange, RowDifference, RowWriter, TableComparison } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Timestamp } from "@/components/Timestamp";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { SkeletonLines } from "@/ui/Skeleton";
import { StatusChip } from "@/ui/StatusChip";

function Verdict({ is_as_logged }: RowWriter) {
  if (is_as_logged === null) return <StatusChip tone="unknown">unknown</StatusChip>;
  if (is_as_logged) return <StatusChip tone="ok">as logged</StatusChip>;
  return <StatusChip tone="bad">not as logged</StatusChip>;
}

function Change({
  change,
  node,
  linkId,
}: {
  change: LoggedRowChange;
  node: RowWriter;
  linkId: string;
}) {
  const { at, operation, gtid, server_id, written_on, file, position } = change;
  const search = { link: linkId, node: node.node_id, file, position: String(position) };
  return (
    <>
      <Timestamp at={at} /> {operation} by{" "}
      {written_on.length > 0 ? written_on.join(", ") : `server_id ${server_id}`},{" "}
      <AppLink to="/lookup" search={search}>
        {gtid || `${file}:${position}`}
      </AppLink>
    </>
  );
}

const columns = (linkId: string): readonly Column<RowWriter>[] => [
  nameColumn("Log of", ({ node }) => node || "a node that is no longer registered"),
  column("The row is", (told) => <Verdict {...told} />),
  column("Last changed", (told) =>
    told.last ? <Change change={told.last} node={told} linkId={linkId} /> : "unknown",
  ),
  column("What that means", ({ sentence, since }) => (
    <>
      {sentence}
      {since && (
        <div className="dim">
          Read from <Timestamp at={since} />.
        </div>
      )}
    </>
  )),
];

function Found({ comparison, row }: { comparison: TableComparison; row: RowDifference }) {
  const query = useQuery(rowWritersQuery(comparison.id, row.id));
  if (query.data)
    return (
      <DataTable
        caption="Changes of the row by the logs of both nodes"
        columns={columns(comparison.link_id)}
        rows={query.data.results}
        rowKey={({ node_id }) => node_id}
        empty="No log was read."
      />
    );
  if (query.isError)
    return (
      <ProblemAlert error={query.error} action="read the logs" retry={() => void query.refetch()} />
    );
  return <SkeletonLines lines={3} />;
}

/** What the logs of both nodes tell of a row that differs; they are read when asked for. */
export function RowWriters(props: { comparison: TableComparison; row: RowDifference }) {
  const [isAsked, setAsked] = useState(false);
  if (isAsked) return <Found {...props} />;
  return (
    <div className="row">
      <Button variant="default" size="xs" onClick={() => setAsked(true)}>
        Find what changed it
      </Button>
      <span className="dim">
        Reads the logs of both nodes from one hour before it was found. The audit log records it.
      </span>
    </div>
  );
}
