import { Table } from "@mantine/core";
import type { Group, Position } from "@/api/types";
import { Term } from "@/components/Term";
import { formatNumber } from "@/lib/format/number";
import { PendingTransactions } from "./PendingTransactions";
import css from "./Proof.module.css";
import { alignAtResumePoint, resumePointLabel } from "./resume-point";
import { TransactionPair } from "./TransactionPair";

type Row = [Group | null, Group | null];

const WIDTHS = ["124", undefined, "72", "34", "124", undefined, "72"];

function Head({ position }: { position: Position }) {
  return (
    <Table.Thead role="rowgroup">
      <Table.Tr role="row">
        <Table.Th
          role="columnheader"
          colSpan={3}
          className={`${css.side} ${css.receiver}`}
          scope="colgroup"
        >
          Last applied on {position.receiving_name}
          <small>read from {position.receiver_node}</small>
        </Table.Th>
        <Table.Td role="cell" className={css.gutter} />
        <Table.Th
          role="columnheader"
          colSpan={3}
          className={`${css.side} ${css.source}`}
          scope="colgroup"
        >
          Binary log of {position.node_name}
          <small>{position.file ?? "file unknown"}</small>
        </Table.Th>
      </Table.Tr>
      <Table.Tr role="row" className={css.columns}>
        <Table.Th role="columnheader" scope="col">
          {position.receiving_name} <Term of="seqno" />
        </Table.Th>
        <Table.Th role="columnheader" scope="col">
          Transaction
        </Table.Th>
        <Table.Th role="columnheader" scope="col" className={css.num}>
          Size
        </Table.Th>
        <Table.Th role="columnheader" scope="col" className={css.gutter}>
          <span className="sr-only">Comparison</span>
        </Table.Th>
        <Table.Th role="columnheader" scope="col">
          <Term of="Xid" />
        </Table.Th>
        <Table.Th role="columnheader" scope="col">
          Transaction
        </Table.Th>
        <Table.Th role="columnheader" scope="col" className={css.num}>
          Size
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  );
}

function ResumeLine({ position }: { position: Position }) {
  const tone = position.provisional ? css.info : position.proven ? css.ok : css.bad;
  return (
    <Table.Tr role="row" className={`${css.resume} ${tone}`}>
      <Table.Td role="cell" colSpan={7} className={css.whole}>
        <div className={css.line}>
          <span>▼ {resumePointLabel(position)}</span>
        </div>
      </Table.Td>
    </Table.Tr>
  );
}

/** Why the numbers of both sides differ, and how many more transactions are pending. */
function Notes({ position, rows }: { position: Position; rows: readonly Row[] }) {
  const { backlog, following_groups, node_name } = position;
  const more = backlog === null ? 0 : backlog - following_groups.length;
  return (
    <>
      {rows.some(([applied, source]) => applied && source && applied.seqno !== source.seqno) && (
        <p className={css.counts}>
          Seqnos are per cluster: the same transaction has a different number on each side. “=”
          means identical content. Expand a row for statement, digest and position.
        </p>
      )}
      {more > 0 && (
        <div className={css.waiting}>
          {formatNumber(more)} more pending on {node_name}
        </div>
      )}
    </>
  );
}

/** What the receiving side applied last beside the new source's binary log, up to the resume position and behind it. */
export function TransactionComparison({ position }: { position: Position }) {
  const rows = alignAtResumePoint(position.receiver_groups, position.source_groups);
  return (
    <div className={css.scroll}>
      <Table role="table" className={css.table} withRowBorders={false}>
        <colgroup>
          {WIDTHS.map((width, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its index
            <col key={index} width={width} />
          ))}
        </colgroup>
        <Head position={position} />
        <Table.Tbody role="rowgroup">
          {rows.map(([applied, source], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its distance from the resume position
            <TransactionPair key={rows.length - index} applied={applied} source={source} />
          ))}
          {rows.length === 0 && (
            <Table.Tr role="row">
              <Table.Td role="cell" colSpan={7} className={`${css.whole} ${css.empty}`}>
                no transaction of this stream in the retained binary logs of{" "}
                {position.receiving_name}
              </Table.Td>
            </Table.Tr>
          )}
          <ResumeLine position={position} />
          <PendingTransactions position={position} />
        </Table.Tbody>
      </Table>
      <Notes position={position} rows={rows} />
    </div>
  );
}
