import type { Link, LookupTransaction } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber } from "@/lib/format/number";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { SqlBlock } from "@/ui/SqlBlock";
import { NodeLocations } from "./NodeLocations";
import { RowValues } from "./RowValues";
import { Sides } from "./Sides";

/** Where one transaction stands, which side holds it, and what it did. */
export function TransactionDetails({
  link,
  transaction,
}: {
  link: Link;
  transaction: LookupTransaction;
}) {
  const { at, origin, server_id, tables, rows, statement, kind } = transaction;
  return (
    <div className="stack">
      <DescriptionList
        items={[
          ["Written", <Timestamp key="t" at={at} />],
          [
            "Origin",
            `${origin ?? "neither cluster of this link"}, server id ${formatNumber(server_id).replace(/,/g, "")}`,
          ],
          ...(kind === "ddl"
            ? []
            : ([
                ["Tables", tables.join(", ") || "none"],
                ["Rows", rows === null ? "not counted, its rows are too long" : formatNumber(rows)],
              ] as const)),
        ]}
      />
      <Sides sides={transaction.sides} />
      <NodeLocations locations={transaction.nodes} />
      {statement ? (
        <SqlBlock statements={[statement]} label="Statement" />
      ) : (
        <p className="dim">
          The log holds no statement for it (binlog_annotate_row_events is OFF).
        </p>
      )}
      {kind !== "ddl" && <RowValues link={link} transaction={transaction} />}
    </div>
  );
}

export function TransactionPanel(props: { link: Link; transaction: LookupTransaction }) {
  return (
    <Panel title={props.transaction.summary}>
      <TransactionDetails {...props} />
    </Panel>
  );
}
