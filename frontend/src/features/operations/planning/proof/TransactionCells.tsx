import { Table } from "@mantine/core";
import type { Group } from "@/api/types";
import { formatBytes, formatNumber } from "@/lib/format/number";
import css from "./Proof.module.css";

/** The side of the comparison that a cell belongs to: on a phone the cells of a side are below each other. */
export type ComparedSide = "receiver" | "source";

interface TransactionCellsProps {
  group: Group | null;
  side: ComparedSide;
}

/** The cells of one transaction: its number, its summary and its size. */
export function TransactionCells({ group, side }: TransactionCellsProps) {
  const place = css[side];
  if (!group)
    return (
      <Table.Td role="cell" colSpan={3} className={`${place} faint`}>
        no matching transaction
      </Table.Td>
    );
  return (
    <>
      <Table.Td role="cell" className={`${place} mono`}>
        {group.seqno === null ? "–" : formatNumber(group.seqno)}
      </Table.Td>
      <Table.Td
        role="cell"
        className={`${place} ${css.summary}`}
        title={group.statement ?? group.summary}
      >
        {group.summary}
      </Table.Td>
      <Table.Td role="cell" className={`${place} ${css.num} mono faint`}>
        {formatBytes(group.bytes)}
      </Table.Td>
    </>
  );
}
