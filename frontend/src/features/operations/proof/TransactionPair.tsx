import { Table, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { Group } from "@/api/types";
import { isSameContent } from "@/domain/transaction-content";
import { formatNumber, formatPosition, shortHash } from "@/lib/format/number";
import { SqlText } from "@/ui/SqlBlock";
import css from "./Proof.module.css";
import { TransactionCells } from "./TransactionCells";

function Details({ group }: { group: Group | null }) {
  if (!group) return <Table.Td colSpan={3} />;
  return (
    <Table.Td colSpan={3}>
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
  const isEqual =
    applied !== null && source !== null && isSameContent(applied.digest, source.digest);
  return (
    <>
      <Table.Tr className={css.pair} onClick={() => setOpen(!isOpen)}>
        <TransactionCells group={applied} />
        <Table.Td className={`${css.gutter} ${isEqual ? "" : css.differs}`}>
          <UnstyledButton
            className={css.open}
            aria-expanded={isOpen}
            aria-label={`${isEqual ? "Identical content" : "Different content"}: details`}
          >
            {isEqual ? "=" : "≠"}
          </UnstyledButton>
        </Table.Td>
        <TransactionCells group={source} />
      </Table.Tr>
      {isOpen && (
        <Table.Tr className={css.detail}>
          <Details group={applied} />
          <Table.Td className={css.gutter} />
          <Details group={source} />
        </Table.Tr>
      )}
    </>
  );
}
