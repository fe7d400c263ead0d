import type { Bandwidth } from "@/api/types";
import { type Column, DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { MeasuredPlot } from "./MeasuredPlot";

type Row = Bandwidth["measured"][number];

const times = (value: number) => `x ${value.toFixed(2)}`;

const COLUMNS: readonly Column<Row>[] = [
  {
    key: "nodes",
    header: "Nodes",
    isRowHeader: true,
    cell: ({ near, far }) => `${near + far} (${near} + ${far})`,
  },
  { key: "w1", header: "Writer, one segment", align: "right", cell: (r) => times(r.writer_one) },
  { key: "w2", header: "Writer, two", align: "right", cell: (r) => times(r.writer_two) },
  { key: "a1", header: "Across, one segment", align: "right", cell: (r) => times(r.across_one) },
  { key: "a2", header: "Across, two", align: "right", cell: (r) => times(r.across_two) },
  {
    key: "article",
    header: "Article's writer",
    align: "right",
    cell: ({ article_low_kb: low, article_high_kb: high }) =>
      low === null || high === null ? (
        <span className="faint">not measured</span>
      ) : (
        `${low} to ${high} KB/s`
      ),
  },
];

/** What the lab's router counted, beside the article's figures. */
export function MeasuredPanel({ rows }: { rows: readonly Row[] }) {
  return (
    <Panel title="Measured by number of nodes" aside="Lab and article">
      <div className="stack">
        <p className="dim">
          Bytes on the wire for one byte of write-sets: 2,000 inserts of 1 KB in one cluster over
          two sites, counted by the lab's router. From two to three nodes the writer sends twice as
          much, as in the article of 2013 (172 to 200, then 342 to 368 KB/s). With two nodes at the
          other site a segment for each halves what crosses the line, and saves the writer one copy.
          With one node there it changes nothing.
        </p>
        <MeasuredPlot rows={rows} />
        <DataTable
          caption="Measured bytes by number of nodes"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ near, far }) => near + far}
          empty="Nothing was measured."
        />
      </div>
    </Panel>
  );
}
