import { Fragment, useState } from "react";
import type { Group, Position } from "@/api/types";
import { isSameContent } from "@/domain/transaction-content";
import {
  formatBytes,
  formatNumber,
  formatPosition,
  shortFile,
  shortHash,
} from "@/lib/format/number";
import { SqlText } from "@/ui/SqlBlock";
import css from "./Proof.module.css";

const name = (group: Group) => (group.seqno === null ? "–" : formatNumber(group.seqno));

/** Both lists end at the line, so they are aligned from their ends. */
export function alignAtResumePoint(
  applied: readonly Group[],
  sourceTransactions: readonly Group[],
): [Group | null, Group | null][] {
  const rows = Math.max(applied.length, sourceTransactions.length);
  return Array.from({ length: rows }, (_, row) => [
    applied[row - (rows - applied.length)] ?? null,
    sourceTransactions[row - (rows - sourceTransactions.length)] ?? null,
  ]);
}

function Cells({ group, label }: { group: Group | null; label?: string }) {
  if (!group)
    return (
      <td colSpan={3} className="faint">
        no such group
      </td>
    );
  return (
    <>
      <td className="mono">{name(group)}</td>
      <td title={group.statement ?? group.summary}>{label ?? group.summary}</td>
      <td className={`${css.num} mono faint`}>{formatBytes(group.bytes)}</td>
    </>
  );
}

function Detail({ group }: { group: Group | null }) {
  if (!group) return <td colSpan={3} />;
  return (
    <td colSpan={3}>
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
    </td>
  );
}

function Pair({
  applied,
  sourceTransactions,
}: {
  applied: Group | null;
  sourceTransactions: Group | null;
}) {
  const [open, setOpen] = useState(false);
  const equal =
    applied !== null &&
    sourceTransactions !== null &&
    isSameContent(applied.digest, sourceTransactions.digest);
  return (
    <>
      <tr className={css.pair} onClick={() => setOpen(!open)}>
        <Cells group={applied} />
        <td className={`${css.gutter} ${equal ? "" : css.differs}`}>
          <button
            type="button"
            className={css.open}
            aria-expanded={open}
            aria-label={`${equal ? "content equal" : "content differs"}; show the details`}
          >
            {equal ? "=" : "≠"}
          </button>
        </td>
        <Cells group={sourceTransactions} />
      </tr>
      {open && (
        <tr className={css.detail}>
          <Detail group={applied} />
          <td className={css.gutter} />
          <Detail group={sourceTransactions} />
        </tr>
      )}
    </>
  );
}

function lineWords(position: Position): string {
  const last = position.source_groups.at(-1);
  const group = last
    ? last.seqno === null
      ? `end of ${last.kind.toUpperCase()} group`
      : `end of group ${formatNumber(last.seqno)}`
    : null;
  const place = position.file
    ? `${shortFile(position.file)} : ${formatNumber(position.position)}`
    : null;
  if (position.provisional)
    return ["resumes about here", place, "proven after the stop"].filter(Boolean).join(" · ");
  if (!position.proven) return "no place is proven";
  return ["resumes here", place, group].filter(Boolean).join(" · ");
}

/** Whether "after the line" is empty on the receiving side is what content has just said. */
function PendingTransactions({ position }: { position: Position }) {
  if (position.following_groups.length === 0)
    return (
      <tr className={css.after}>
        <td colSpan={3} className={css.empty}>
          nothing applied after this in {position.receiving_name}
        </td>
        <td className={css.gutter} />
        <td colSpan={3} className={css.empty}>
          nothing waits on {position.node_name}
        </td>
      </tr>
    );
  return position.following_groups.map((group, index) => (
    <tr key={`${group.file}${group.position}`} className={css.after}>
      {index === 0 && (
        <td colSpan={3} rowSpan={position.following_groups.length} className={css.empty}>
          nothing applied after this in {position.receiving_name}
        </td>
      )}
      <td className={css.gutter} />
      <Cells group={group} />
    </tr>
  ));
}

/** What the receiving side last applied beside what the new source holds, meeting at a line. */
export function TransactionComparison({ position }: { position: Position }) {
  const rows = alignAtResumePoint(position.receiver_groups, position.source_groups);
  const tone = position.provisional ? css.info : position.proven ? css.ok : css.bad;
  const more =
    position.backlog === null ? null : position.backlog - position.following_groups.length;
  return (
    <div className={css.scroll}>
      <table className={css.table}>
        <colgroup>
          <col width="124" />
          <col />
          <col width="72" />
          <col width="34" />
          <col width="124" />
          <col />
          <col width="72" />
        </colgroup>
        <thead>
          <tr>
            <th colSpan={3} className={css.side} scope="colgroup">
              What {position.receiving_name} last applied
              <small>read from {position.receiver_node}</small>
            </th>
            <td className={css.gutter} />
            <th colSpan={3} className={css.side} scope="colgroup">
              What {position.node_name} holds<small>{position.file ?? "file not known"}</small>
            </th>
          </tr>
          <tr>
            <th>{position.receiving_name} seqno</th>
            <th>transaction</th>
            <th className={css.num}>size</th>
            <th className={css.gutter}>
              <span className="sr-only">equal?</span>
            </th>
            <th>Xid</th>
            <th>transaction</th>
            <th className={css.num}>size</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([applied, sourceTransactions], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its distance from the line
            <Fragment key={rows.length - index}>
              <Pair applied={applied} sourceTransactions={sourceTransactions} />
            </Fragment>
          ))}
          {rows.length === 0 && (
            <tr>
              <td colSpan={7} className={css.empty}>
                {position.receiving_name} has applied nothing from this side that the retained logs
                would show
              </td>
            </tr>
          )}
          <tr className={`${css.resume} ${tone}`}>
            <td colSpan={7}>
              <div className={css.line}>
                <span>▼ {lineWords(position)}</span>
              </div>
            </td>
          </tr>
          <PendingTransactions position={position} />
        </tbody>
      </table>
      {rows.some(
        ([applied, sourceTransactions]) =>
          applied && sourceTransactions && applied.seqno !== sourceTransactions.seqno,
      ) && (
        <p className={css.counts}>
          Each cluster counts for itself: the same transaction has a number of its own on each side.
          “=” compares its content. Open a row for statement, digest and place.
        </p>
      )}
      {more !== null && more > 0 && (
        <div className={css.waiting}>
          {formatNumber(more)} more wait on {position.node_name}
        </div>
      )}
    </div>
  );
}
