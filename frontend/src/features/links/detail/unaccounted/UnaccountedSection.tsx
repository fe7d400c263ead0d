import { useQuery } from "@tanstack/react-query";
import { unaccountedQuery } from "@/api/resources/unaccounted";
import type { LinkDetail, Unaccounted } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { useCan } from "@/components/use-session";
import { SETTLED_IN, UNACCOUNTED_SECTION } from "@/domain/unaccounted";
import { formatNumber, formatPosition, pluralize } from "@/lib/format/number";
import { Copyable } from "@/ui/CopyButton";
import { type Column, column, nameColumn, numberColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { SettleForm } from "./SettleForm";
import { SettlePanel } from "./SettlePanel";
import {
  choiceOf,
  faultOf,
  lookupOf,
  rowKey,
  rowsOf,
  type UnaccountedRow,
  unlistedTexts,
} from "./unaccounted";

const TITLE = "Transactions that are not on both sides";

const COLUMNS: readonly Column<UnaccountedRow>[] = [
  column("Direction", ({ from, to }) => `${from} → ${to}`, { nowrap: true }),
  column("Fault", (row) => <b>{faultOf(row)}</b>),
  numberColumn("Seqno", ({ seqno }) =>
    seqno === null ? <span className="faint">DDL</span> : formatNumber(seqno),
  ),
  nameColumn("GTID", ({ gtid }) => <Copyable text={gtid} label="the GTID" />, { mono: true }),
  column("Position", ({ node, file, position }) => (
    <>
      <div>{node}</div>
      <code>{formatPosition(file, position)}</code>
    </>
  )),
  column("Found", ({ found_at: at }) => <Timestamp at={at} />),
];

const lookupColumn = (link: LinkDetail): Column<UnaccountedRow> =>
  column(
    "Rows",
    (row) => (
      <AppLink to="/lookup" search={lookupOf(link, row)}>
        Look up<span className="sr-only"> {row.gtid}</span>
      </AppLink>
    ),
    { nowrap: true },
  );

interface SectionProps {
  link: LinkDetail;
  accounts: Unaccounted;
  rows: readonly UnaccountedRow[];
}

function Section({ link, accounts, rows }: SectionProps) {
  const mayLookUp = useCan("lookup");
  return (
    <SettlePanel
      id={UNACCOUNTED_SECTION}
      title={TITLE}
      count={pluralize(rows.length, "transaction")}
      columns={mayLookUp ? [...COLUMNS, lookupColumn(link)] : COLUMNS}
      rows={rows}
      rowKey={rowKey}
      choiceOf={choiceOf}
      nameOf={(row) => `${row.gtid} of ${row.from} → ${row.to}`}
      noun="transactions"
      notes={unlistedTexts(accounts, link)}
      form={(chosen, close) => <SettleForm {...{ link, accounts, rows, chosen, close }} />}
    />
  );
}

/** Transactions of either direction that are not on both sides; nothing while there are none. Where the list cannot be
 * read, that is said once for this section and the next. */
export function UnaccountedSection({ link }: { link: LinkDetail }) {
  const query = useQuery(unaccountedQuery(link.id));
  if (!query.data) {
    if (!link.findings.some(({ code }) => code in SETTLED_IN)) return null;
    return (
      <Panel tone="bad" title={TITLE}>
        <QueryBoundary<Unaccounted> query={query} label="the transactions">
          {() => null}
        </QueryBoundary>
      </Panel>
    );
  }
  const rows = rowsOf(query.data, link);
  return rows.length === 0 ? null : <Section link={link} accounts={query.data} rows={rows} />;
}
