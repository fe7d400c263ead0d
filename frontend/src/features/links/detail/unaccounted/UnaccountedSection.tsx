import { Button, Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { unaccountedQuery } from "@/api/resources/unaccounted";
import type { LinkDetail, Unaccounted } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ChangeDialog } from "@/components/ChangeDialog";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { useRefusal } from "@/components/use-refusal";
import { useCan } from "@/components/use-session";
import { UNACCOUNTED_CODES, UNACCOUNTED_SECTION } from "@/domain/unaccounted";
import { formatNumber, formatPosition, pluralize } from "@/lib/format/number";
import { Copyable } from "@/ui/CopyButton";
import { type Column, column, DataTable, nameColumn, numberColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { SettleForm } from "./SettleForm";
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

const selectColumn = (
  chosen: ReadonlySet<string>,
  toggle: (choice: string) => void,
): Column<UnaccountedRow> =>
  column("Select", (row) => (
    <Checkbox
      aria-label={`Select ${row.gtid} of ${row.from} → ${row.to}`}
      checked={chosen.has(choiceOf(row))}
      onChange={() => toggle(choiceOf(row))}
    />
  ));

/** What is listed now and selected: a transaction that was settled meanwhile is not selected any more. */
function useChosen(rows: readonly UnaccountedRow[]) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const all = new Set(rows.map(choiceOf));
  return {
    all,
    chosen: new Set([...keys].filter((key) => all.has(key))),
    toggle: (key: string) =>
      setKeys(new Set(keys.has(key) ? [...keys].filter((other) => other !== key) : [...keys, key])),
    choose: setKeys,
  };
}

/** Shows the section where the address names it, also where it appears only after the page. */
function useShownByAddress() {
  const section = useRef<HTMLDivElement>(null);
  const isNamed = useLocation({ select: ({ hash }) => hash === UNACCOUNTED_SECTION });
  useEffect(() => {
    if (!isNamed) return;
    section.current?.focus({ preventScroll: true });
    section.current?.scrollIntoView();
  }, [isNamed]);
  return section;
}

interface SectionProps {
  link: LinkDetail;
  accounts: Unaccounted;
  rows: readonly UnaccountedRow[];
}

function Section({ link, accounts, rows }: SectionProps) {
  const section = useShownByAddress();
  const refusal = useRefusal("run");
  const mayLookUp = useCan("lookup");
  const { all, chosen, toggle, choose } = useChosen(rows);
  const columns = [
    ...(refusal === null ? [selectColumn(chosen, toggle)] : []),
    ...COLUMNS,
    ...(mayLookUp ? [lookupColumn(link)] : []),
  ];
  const isWhole = chosen.size === all.size;
  return (
    <div ref={section} id={UNACCOUNTED_SECTION} tabIndex={-1}>
      <Panel tone="bad" title={TITLE} aside={pluralize(rows.length, "transaction")}>
        <div className="stack">
          <DataTable caption={TITLE} columns={columns} rows={rows} rowKey={rowKey} empty="" />
          {unlistedTexts(accounts, link).map((text) => (
            <p key={text} className="dim">
              {text}
            </p>
          ))}
          <div className="row end">
            {refusal === null && all.size > 1 && (
              <Button size="xs" variant="subtle" onClick={() => choose(isWhole ? new Set() : all)}>
                {isWhole ? "Select none" : "Select all"}
              </Button>
            )}
            <ChangeDialog
              label="Settle"
              title="Settle transactions"
              disabledReason={refusal ?? (chosen.size === 0 ? "Select transactions first." : null)}
            >
              {(close) => <SettleForm {...{ link, accounts, rows, chosen, close }} />}
            </ChangeDialog>
          </div>
        </div>
      </Panel>
    </div>
  );
}

/** Transactions of either direction that are not on both sides; nothing while there are none. */
export function UnaccountedSection({ link }: { link: LinkDetail }) {
  const query = useQuery(unaccountedQuery(link.id));
  if (!query.data) {
    if (!link.findings.some(({ code }) => UNACCOUNTED_CODES.has(code))) return null;
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
