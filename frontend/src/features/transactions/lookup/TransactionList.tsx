import { Button } from "@mantine/core";
import { useId, useState } from "react";
import type { Link, LookupTransaction } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import { pluralize } from "@/lib/format/number";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Lookup.module.css";
import { HELD_TONES, heldWords, keyOf } from "./locations";
import { TransactionDetails } from "./TransactionPanel";
import { useIsNarrow } from "./use-is-narrow";

interface OneProps {
  link: Link;
  transaction: LookupTransaction;
}

/** The same transaction by its position, which is then looked for on every node. */
function OpenAlone({ link, transaction }: OneProps) {
  const held = transaction.nodes.find(({ location }) => location);
  if (!held?.location) return null;
  const { file, end_position } = held.location;
  const search = {
    link: link.id,
    node: held.node_id,
    file,
    // A position inside it names it alone; its begin and its end name its neighbours, too.
    position: String(end_position - 1),
  };
  return (
    <AppLink to="/lookup" search={search}>
      Look it up on every node
    </AppLink>
  );
}

const columns = (link: Link): readonly Column<LookupTransaction>[] => [
  column("Written", ({ at }) => <Timestamp at={at} />, { nowrap: true }),
  nameColumn("Transaction", ({ summary, rows, kind }) => (
    <>
      {summary}
      {kind !== "ddl" && rows !== null && (
        <span className="faint"> · {pluralize(rows, "row")}</span>
      )}
    </>
  )),
  column("Origin", ({ origin }) => origin ?? "unknown"),
  ...[link.active_cluster, link.standby_cluster].map(({ id, name }) =>
    column(
      name,
      ({ sides }: LookupTransaction) => {
        const side = sides.find(({ cluster_id }) => cluster_id === id);
        return side && <StatusChip tone={HELD_TONES[side.held]}>{heldWords(side)}</StatusChip>;
      },
      { nowrap: true },
    ),
  ),
];

const Opened = (props: OneProps) => (
  <div className="stack">
    <OpenAlone {...props} />
    <TransactionDetails {...props} />
  </div>
);

function Card({ link, transaction }: OneProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { summary, at, sides } = transaction;
  return (
    <li className={css.card}>
      <div className="row between">
        <b>{summary}</b>
        <Timestamp at={at} />
      </div>
      <div className="row">
        {sides.map((side) => (
          <span key={side.cluster_id}>
            {side.cluster} <StatusChip tone={HELD_TONES[side.held]}>{heldWords(side)}</StatusChip>
          </span>
        ))}
      </div>
      <div>
        <Button
          variant="default"
          size="xs"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Hide details" : "Details"}
        </Button>
      </div>
      <div id={id}>{isOpen && <Opened link={link} transaction={transaction} />}</div>
    </li>
  );
}

/** Several transactions, oldest first; each opens below its row. */
export function TransactionList({
  link,
  transactions,
}: {
  link: Link;
  transactions: readonly LookupTransaction[];
}) {
  const isNarrow = useIsNarrow();
  if (isNarrow)
    return (
      <Panel title={pluralize(transactions.length, "transaction")} aside="oldest first">
        <ul className="stack" aria-label="Transactions found">
          {transactions.map((transaction) => (
            <Card key={keyOf(transaction)} link={link} transaction={transaction} />
          ))}
        </ul>
      </Panel>
    );
  return (
    <Panel title={pluralize(transactions.length, "transaction")} aside="oldest first">
      <DataTable
        caption="Transactions found"
        columns={columns(link)}
        rows={transactions}
        rowKey={keyOf}
        empty="No transaction was found."
        details={(transaction) => <Opened link={link} transaction={transaction} />}
        detailsLabel={({ summary, at }) => `${summary} at ${at}`}
      />
    </Panel>
  );
}
