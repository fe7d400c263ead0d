import type { Lookup, LookupAnswer } from "@/api/types";
import { formatBytes, pluralize } from "@/lib/format/number";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Lookup.module.css";
import { positionText, STATE_TONES, STATE_WORDS } from "./locations";
import { useIsNarrow } from "./use-is-narrow";

const Result = ({ state, found }: LookupAnswer) => (
  <StatusChip tone={STATE_TONES[state]}>
    {state === "found" ? `${found} found` : STATE_WORDS[state]}
  </StatusChip>
);

const Range = ({ from, to, bytes, transactions }: LookupAnswer) =>
  from &&
  to && (
    <span>
      <code>{positionText(from)}</code> to <code>{positionText(to)}</code>
      <span className="faint">
        {" "}
        · {pluralize(transactions, "transaction")}, {formatBytes(bytes)}
      </span>
    </span>
  );

const COLUMNS: readonly Column<LookupAnswer>[] = [
  nameColumn("Node", ({ node, cluster }) => (
    <>
      <b>{node}</b> <span className="faint">{cluster}</span>
    </>
  )),
  column("Result", (answer) => <Result {...answer} />, { nowrap: true }),
  column("Read", (answer) => <Range {...answer} />),
  column("Details", ({ detail }) => detail),
];

/** How far each node's log was read; of a continued search the last part. */
export function SearchedNodes({ pages }: { pages: readonly Lookup[] }) {
  const last = new Map(pages.flatMap((page) => page.nodes).map((node) => [node.node_id, node]));
  const isNarrow = useIsNarrow();
  if (isNarrow)
    return (
      <ul className="stack" aria-label="Search of each node">
        {[...last.values()].map((answer) => (
          <li key={answer.node_id} className={css.card}>
            <div className="row between">
              <span>
                <b>{answer.node}</b> <span className="faint">{answer.cluster}</span>
              </span>
              <Result {...answer} />
            </div>
            <Range {...answer} />
            {answer.detail && <p>{answer.detail}</p>}
          </li>
        ))}
      </ul>
    );
  return (
    <DataTable
      caption="Search of each node"
      columns={COLUMNS}
      rows={[...last.values()]}
      rowKey={({ node_id }) => node_id}
      empty="No node was searched."
    />
  );
}
