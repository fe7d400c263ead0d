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
      <Table.Tr role="row" className={css.after}>
        <Table.Td role="cell" colSpan={3} className={`${css.receiver} ${css.empty}`}>
          {none}
        </Table.Td>
        <Table.Td role="cell" className={css.gutter} />
        <Table.Td role="cell" colSpan={3} className={`${css.source} ${css.empty}`}>
          no pending transactions on {position.node_name}
        </Table.Td>
      </Table.Tr>
    );
  return pending.map((group, index) => (
    <Table.Tr role="row" key={`${group.file}${group.position}`} className={css.after}>
      {index === 0 && (
        <Table.Td
          role="cell"
          colSpan={3}
          rowSpan={pending.length}
          className={`${css.receiver} ${css.empty}`}
        >
          {none}
        </Table.Td>
      )}
      <Table.Td role="cell" className={css.gutter} />
      <TransactionCells group={group} side="source" />
    </Table.Tr>
  ));
}
