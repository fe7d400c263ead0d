import type { Link, LookupTransaction } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import { pluralize } from "@/lib/format/number";
import { type Column, DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { HELD_TONES, heldWords, keyOf } from "./places";
import { TransactionDetails } from "./TransactionPanel";

/** The same transaction by its position, which is then looked for on every node. */
function OpenAlone({ link, transaction }: { link: Link; transaction: LookupTransaction }) {
  const held = transaction.nodes.find(({ place }) => place);
  if (!held?.place) return null;
  const { file, end_position } = held.place;
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
  {
    key: "at",
    header: "Written",
    nowrap: true,
    cell: ({ at }) => <Timestamp at={at} />,
  },
  {
    key: "summary",
    header: "Transaction",
    isRowHeader: true,
    cell: ({ summary, rows, kind }) => (
      <>
        {summary}
        {kind !== "ddl" && rows !== null && (
          <span className="faint"> · {pluralize(rows, "row")}</span>
        )}
      </>
    ),
  },
  { key: "origin", header: "Origin", cell: ({ origin }) => origin ?? "unknown" },
  ...[link.active_cluster, link.standby_cluster].map(({ id, name }) => ({
    key: id,
    header: name,
    nowrap: true,
    cell: ({ sides }: LookupTransaction) => {
      const side = sides.find(({ cluster_id }) => cluster_id === id);
      return side && <StatusChip tone={HELD_TONES[side.held]}>{heldWords(side)}</StatusChip>;
    },
  })),
];

/** Several transactions, oldest first; each opens below its row. */
export function TransactionList({
  link,
  transactions,
}: {
  link: Link;
  transactions: readonly LookupTransaction[];
}) {
  return (
    <Panel title={pluralize(transactions.length, "transaction")} aside="oldest first">
      <DataTable
        caption="Transactions found"
        columns={columns(link)}
        rows={transactions}
        rowKey={keyOf}
        empty="No transaction was found."
        details={(transaction) => (
          <div className="stack">
            <OpenAlone link={link} transaction={transaction} />
            <TransactionDetails link={link} transaction={transaction} />
          </div>
        )}
        detailsLabel={({ summary, at }) => `${summary} at ${at}`}
      />
    </Panel>
  );
}
