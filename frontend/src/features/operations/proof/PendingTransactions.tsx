import { Table } from "@mantine/core";
import type { Position } from "@/api/types";
import css from "./Proof.module.css";
import { TransactionCells } from "./TransactionCells";

/** The transactions behind the resume position, which the receiving side has not applied yet. */
export function PendingTransactions({ position }: { position: Position }) {
  const pending = position.following_groups;
  const none = `no later transaction applied on ${position.receiving_name}`;
  if (pending.length === 0)
    return (
      <Table.Tr className={css.after}>
        <Table.Td colSpan={3} className={css.empty}>
          {none}
        </Table.Td>
        <Table.Td className={css.gutter} />
        <Table.Td colSpan={3} className={css.empty}>
          no pending transactions on {position.node_name}
        </Table.Td>
      </Table.Tr>
    );
  return pending.map((group, index) => (
    <Table.Tr key={`${group.file}${group.position}`} className={css.after}>
      {index === 0 && (
        <Table.Td colSpan={3} rowSpan={pending.length} className={css.empty}>
          {none}
        </Table.Td>
      )}
      <Table.Td className={css.gutter} />
      <TransactionCells group={group} />
    </Table.Tr>
  ));
}
