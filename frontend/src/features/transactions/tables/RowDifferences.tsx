import { useSearch } from "@tanstack/react-router";
import { rowDifferencesQuery } from "@/api/resources/table-comparisons";
import type { RowDifference, TableComparison } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { usePagedQuery } from "@/components/use-paged-query";
import { useCan } from "@/components/use-session";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { RowImages } from "../RowImages";
import { keyText, WHOLE_TABLE_WORDS } from "./comparison-status";
import { DifferenceExport } from "./DifferenceExport";
import { RowWriters } from "./RowWriters";
import css from "./Tables.module.css";

const HOW: Column<RowDifference> = column("How", ({ apart, is_confirmed }) => (
  <>
    <StatusChip tone={is_confirmed ? "bad" : "warn"}>{apart}</StatusChip>
    <div className="dim">
      {is_confirmed ? "confirmed" : "differed in each of 20 looks while it was written"}
    </div>
  </>
));

/** The columns that differ, or what else does. */
const WHAT: Column<RowDifference> = column("What differs", ({ columns, has_key, apart }) => {
  if (!has_key) return `No key names its rows. ${WHOLE_TABLE_WORDS[apart]}`;
  if (columns.length > 0) return <code className={css.names}>{columns.join(", ")}</code>;
  return <span className="faint">{apart === "different" ? "unknown" : "the whole row"}</span>;
});

const COLUMNS: readonly Column<RowDifference>[] = [
  nameColumn("Row", ({ table, key }) => (
    <span className={css.names}>
      <code>{table}</code>
      {key && <div className="mono">{keyText(key)}</div>}
    </span>
  )),
  column("Node", ({ node }) => node),
  HOW,
  WHAT,
  column("Found", ({ found_at }) => <Timestamp at={found_at} />),
];

function Values({ row, reference }: { row: RowDifference; reference: string }) {
  if (!row.reference && !row.held) return <p>The row was gone when its values were read.</p>;
  return (
    <RowImages
      caption={`Row of ${row.table} on ${reference} and ${row.node}`}
      first={{ header: `${reference} (reference)`, absent: "not there", image: row.reference }}
      second={{ header: row.node, absent: "not there", image: row.held }}
    />
  );
}

function TableScope({ comparison, table }: { comparison: TableComparison; table: string }) {
  const { state } = useSearch({ from: "/shell/links/$linkId/tables/$comparisonId" });
  return (
    <>
      of <code className={css.names}>{table}</code> ·{" "}
      <AppLink
        to="/links/$linkId/tables/$comparisonId"
        params={{ linkId: comparison.link_id, comparisonId: comparison.id }}
        search={{ state }}
        hash="rows"
      >
        All tables
      </AppLink>
    </>
  );
}

/** The rows that are not the same on a node, with their values for those who may see them. */
export function RowDifferences({ comparison }: { comparison: TableComparison }) {
  const { table } = useSearch({ from: "/shell/links/$linkId/tables/$comparisonId" });
  const seesValues = useCan("lookup");
  const found = usePagedQuery(rowDifferencesQuery(comparison.link_id, comparison.id, table));
  const reference = comparison.nodes[0]?.name || "the first node";
  return (
    <div id="rows">
      <Panel
        title="Rows that differ"
        aside={table ? <TableScope comparison={comparison} table={table} /> : "newest first"}
      >
        <QueryBoundary<RowDifference[]> query={found} label="the rows that differ">
          {(rows) => (
            <div className="stack">
              {rows.length > 0 && seesValues && <DifferenceExport comparison={comparison} />}
              {rows.length > 0 && !seesValues && (
                <p className="dim">
                  Keys and values are rows of applications: operators see and export them.
                </p>
              )}
              <DataTable
                caption="Rows that differ"
                columns={COLUMNS}
                rows={rows}
                rowKey={({ id }) => id}
                empty="No row is known to differ."
                {...(seesValues && {
                  details: (row: RowDifference) =>
                    row.has_key ? (
                      <div className="stack">
                        <Values row={row} reference={reference} />
                        <RowWriters comparison={comparison} row={row} />
                      </div>
                    ) : null,
                  detailsLabel: (row: RowDifference) =>
                    `the values of ${row.table}${row.key ? `, ${keyText(row.key)},` : ""} on ${row.node}`,
                })}
                more={found.more}
              />
            </div>
          )}
        </QueryBoundary>
      </Panel>
    </div>
  );
}
