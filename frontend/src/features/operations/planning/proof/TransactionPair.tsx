import { Table, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { Group } from "@/api/types";
import { isSameContent } from "@/domain/transaction-content";
import { formatNumber, formatPosition, shortHash } from "@/lib/format/number";
import { SqlText } from "@/ui/SqlBlock";
import { useIsPrinting } from "@/ui/use-is-printing";
import css from "./Proof.module.css";
import { type ComparedSide, TransactionCells } from "./TransactionCells";

function Details({ group, side }: { group: Group | null; side: ComparedSide }) {
  if (!group) return <Table.Td role="cell" colSpan={3} className={css[side]} />;
  return (
    <Table.Td role="cell" colSpan={3} className={css[side]}>
      {group.statement && (
        <pre>
          <SqlText sql={group.statement} />
        </pre>
      )}
      <div className="faint mono">
        {formatPosition(group.file, group.position)} → {formatNumber(group.end_position)} ·{" "}
        {group.events} events · server_id {group.server_id}
        {group.gtid && ` · GTID ${group.gtid}`} · content {shortHash(group.digest, 12)}
      </div>
    </Table.Td>
  );
}

/** A transaction on both sides with the comparison of its content; the row opens its details. */
export function TransactionPair({
  applied,
  source,
}: {
  applied: Group | null;
  source: Group | null;
}) {
  const [isOpen, setOpen] = useState(false);
  const isPrinting = useIsPrinting();
  const isEqual =
    applied !== null && source !== null && isSameContent(applied.digest, source.digest);
  return (
    <>
      <Table.Tr role="row" className={css.pair} onClick={() => setOpen(!isOpen)}>
        <TransactionCells group={applied} side="receiver" />
        <Table.Td role="cell" className={`${css.gutter} ${isEqual ? "" : css.differs}`}>
          <UnstyledButton
            className={css.open}
            aria-expanded={isOpen}
            aria-label={`${isEqual ? "Identical content" : "Different content"}: details`}
          >
            {isEqual ? "=" : "≠"}
          </UnstyledButton>
        </Table.Td>
        <TransactionCells group={source} side="source" />
      </Table.Tr>
      {(isOpen || isPrinting) && (
        <Table.Tr role="row" className={css.detail}>
          <Details group={applied} side="receiver" />
          <Table.Td role="cell" className={css.gutter} />
          <Details group={source} side="source" />
        </Table.Tr>
      )}
    </>
  );
}
