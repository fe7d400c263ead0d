import type { Bandwidth } from "@/api/types";
import { type Column, DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { rateText, spanText } from "./rates";

type Row = Bandwidth["by_count"]["rows"][number];

const COLUMNS: readonly Column<Row>[] = [
  {
    key: "nodes",
    header: "Nodes",
    isRowHeader: true,
    cell: ({ nodes, near, far }) => `${nodes} (${near} + ${far})`,
  },
  {
    key: "out1",
    header: "Writer sends, one segment",
    align: "right",
    cell: (row) => spanText(row.outbound_one),
  },
  {
    key: "out2",
    header: "Writer sends, two",
    align: "right",
    cell: (row) => spanText(row.outbound_two),
  },
  {
    key: "line1",
    header: "Across the line, one segment",
    align: "right",
    cell: (row) => spanText(row.across_one),
  },
  {
    key: "line2",
    header: "Across the line, two",
    align: "right",
    cell: (row) => spanText(row.across_two),
  },
];

/** What one writer would send with more or fewer nodes. */
export function ByCountPanel({ found: { by_count: found } }: { found: Bandwidth }) {
  return (
    <Panel title="By number of nodes" aside="Computed">
      {found.bytes_per_s === null ? (
        <p>Unknown. {found.reason}</p>
      ) : (
        <div className="stack">
          <p className="dim">
            If one node wrote all that was written in the last hour ({rateText(found.bytes_per_s)}{" "}
            of write-sets), the nodes halved over two sites.
          </p>
          <DataTable
            caption="Outbound of the writer by number of nodes"
            columns={COLUMNS}
            rows={found.rows}
            rowKey={({ nodes }) => nodes}
            empty="No rate is known."
          />
        </div>
      )}
    </Panel>
  );
}
