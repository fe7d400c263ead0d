import { Select } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { comparedTablesQuery } from "@/api/resources/table-comparisons";
import type { ComparedTable, TableComparison } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { QueryBoundary } from "@/components/QueryBoundary";
import { usePagedQuery } from "@/components/use-paged-query";
import { COMPARED_TABLE_STATES } from "@/domain/compared-table-states";
import { statusFor } from "@/domain/status";
import { formatNumber } from "@/lib/format/number";
import { type Column, column, DataTable, nameColumn, numberColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Tables.module.css";

const FROM = "/shell/links/$linkId/tables/$comparisonId";

const STATE: Column<ComparedTable> = column("State", ({ state }) => {
  const { tone, word } = statusFor("compared_table", state);
  return <StatusChip tone={tone}>{word}</StatusChip>;
});

const ROWS: Column<ComparedTable> = numberColumn("Rows", ({ rows, estimated_rows, ended_at }) => (
  <>
    {formatNumber(rows)}
    {ended_at === null && <div className="dim">of about {formatNumber(estimated_rows)}</div>}
  </>
));

const WRITTEN: Column<ComparedTable> = numberColumn("While written", (table) =>
  formatNumber(table.rows_while_written),
);

const DIFFERENT: Column<ComparedTable> = numberColumn("Different", ({ different, doubtful }) => (
  <>
    {formatNumber(different)}
    {doubtful > 0 && <div className="dim">{formatNumber(doubtful)} looked at again</div>}
  </>
));

const LEFT_OUT: Column<ComparedTable> = column(
  "Left out, and why",
  ({ left_out, sentence, state }) => {
    const reasons = sentence ? [sentence, ...left_out] : left_out;
    if (reasons.length === 0)
      return <span className="faint">{state === "waiting" ? "not known yet" : "nothing"}</span>;
    return (
      <ul className={css.names}>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    );
  },
);

function TableName({ table, comparison }: { table: ComparedTable; comparison: TableComparison }) {
  const search = useSearch({ from: FROM });
  const name = <code className={css.name}>{table.name}</code>;
  if (table.different === 0) return name;
  return (
    <AppLink
      to="/links/$linkId/tables/$comparisonId"
      params={{ linkId: comparison.link_id, comparisonId: comparison.id }}
      search={{ ...search, table: table.name }}
      hash="rows"
      title={`Rows of ${table.name} that differ`}
    >
      {name}
    </AppLink>
  );
}

function StateFilter({ comparison }: { comparison: TableComparison }) {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate();
  return (
    <Select
      aria-label="State"
      placeholder="All states"
      clearable
      data={COMPARED_TABLE_STATES.map((value) => ({
        value,
        label: statusFor("compared_table", value).word,
      }))}
      value={search.state ?? null}
      onChange={(value) =>
        void navigate({
          to: "/links/$linkId/tables/$comparisonId",
          params: { linkId: comparison.link_id, comparisonId: comparison.id },
          search: { ...search, state: COMPARED_TABLE_STATES.find((state) => state === value) },
          replace: true,
        })
      }
    />
  );
}

/** How far each table is compared, what of it is left out, and why. */
export function ComparedTables({ comparison }: { comparison: TableComparison }) {
  const { state } = useSearch({ from: FROM });
  const tables = usePagedQuery(comparedTablesQuery(comparison.link_id, comparison.id, state));
  const columns = [
    nameColumn<ComparedTable>("Table", (table) => (
      <TableName table={table} comparison={comparison} />
    )),
    STATE,
    ROWS,
    WRITTEN,
    DIFFERENT,
    LEFT_OUT,
  ];
  return (
    <Panel title="Tables" aside={<StateFilter comparison={comparison} />}>
      <QueryBoundary<ComparedTable[]> query={tables} label="the tables">
        {(rows) => (
          <DataTable
            caption="Tables of the comparison"
            columns={columns}
            rows={rows}
            rowKey={({ name }) => name}
            empty={state ? "No table is in this state." : "No table is listed yet."}
            more={tables.more}
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}
