import { Table } from "@mantine/core";
import type { Group } from "@/api/types";
import { formatBytes, formatNumber } from "@/lib/format/number";
import css from "./Proof.module.css";

/** The cells of one transaction: its number, its summary and its size. */
export function TransactionCells({ group }: { group: Group | null }) {
  if (!group)
    return (
      <Table.Td colSpan={3} className="faint">
        no matching transaction
      </Table.Td>
    );
  return (
    <>
      <Table.Td className="mono">{group.seqno === null ? "–" : formatNumber(group.seqno)}</Table.Td>
      <Table.Td title={group.statement ?? group.summary}>{group.summary}</Table.Td>
      <Table.Td className={`${css.num} mono faint`}>{formatBytes(group.bytes)}</Table.Td>
    </>
  );
}
