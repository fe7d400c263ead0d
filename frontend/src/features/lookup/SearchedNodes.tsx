import type { Lookup, LookupAnswer } from "@/api/types";
import { formatBytes, pluralize } from "@/lib/format/number";
import { type Column, DataTable } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import { placeText, STATE_TONES, STATE_WORDS } from "./places";

const COLUMNS: readonly Column<LookupAnswer>[] = [
  {
    key: "node",
    header: "Node",
    isRowHeader: true,
    cell: ({ node, cluster }) => (
      <>
        <b>{node}</b> <span className="faint">{cluster}</span>
      </>
    ),
  },
  {
    key: "result",
    header: "Result",
    nowrap: true,
    cell: ({ state, found }) => (
      <StatusChip tone={STATE_TONES[state]}>
        {state === "found" ? `${found} found` : STATE_WORDS[state]}
      </StatusChip>
    ),
  },
  {
    key: "read",
    header: "Read",
    cell: ({ from, to, bytes, transactions }) =>
      from &&
      to && (
        <>
          <code>{placeText(from)}</code> to <code>{placeText(to)}</code>
          <span className="faint">
            {" "}
            · {pluralize(transactions, "transaction")}, {formatBytes(bytes)}
          </span>
        </>
      ),
  },
  { key: "detail", header: "Details", cell: ({ detail }) => detail },
];

/** How far each node's log was read; of a continued search the last part. */
export function SearchedNodes({ pages }: { pages: readonly Lookup[] }) {
  const last = new Map(pages.flatMap((page) => page.nodes).map((node) => [node.node_id, node]));
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
