import type { Bandwidth } from "@/api/types";
import { nameColumn, numberColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { FigureTable, figure } from "../FigureTable";
import { MeasuredPlot } from "../MeasuredPlot";
import { even } from "../plot-scale";

type Row = Bandwidth["measured"][number];

const times = (value: number) => `x ${value.toFixed(2)}`;

const COLUMNS = [
  nameColumn<Row>("Nodes", ({ near, far }) => `${near + far} (${near} + ${far})`),
  figure<Row>("Writer, one segment", (row) => times(row.writer_one)),
  figure<Row>("Writer, two", (row) => times(row.writer_two)),
  figure<Row>("Across, one segment", (row) => times(row.across_one)),
  figure<Row>("Across, two", (row) => times(row.across_two)),
  numberColumn<Row>("Article's writer", ({ article_low_kb: low, article_high_kb: high }) =>
    low === null || high === null ? (
      <span className="faint">not measured</span>
    ) : (
      `${low} to ${high} KB/s`
    ),
  ),
];

/** The article's ranges, put to scale by the lab's figure with two nodes. */
function articleBars(rows: readonly Row[]) {
  const known = rows.flatMap(({ near, far, article_low_kb: low, article_high_kb: high, ...row }) =>
    low === null || high === null ? [] : [{ nodes: near + far, low, high, ...row }],
  );
  const [first] = known;
  if (!first) return [];
  const scale = (2 * first.writer_one) / (first.low + first.high);
  return known.map(({ nodes, low, high }) => [nodes, low * scale, high * scale] as const);
}

/** What the lab's router counted, beside the article's figures. */
export function MeasuredPanel({ rows }: { rows: readonly Row[] }) {
  const points = (value: (row: Row) => number) =>
    rows.map((row) => [row.near + row.far, value(row)] as const);
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
        <MeasuredPlot
          label="Bytes that the writer sends for one byte written, by number of nodes"
          caption="The writer's bytes for one byte written: solid in one segment, dashed with two. The bars are the article's range, to the scale of the lab's two nodes."
          x={{ ...even([2, 3, 4, 5], 0.2), title: "nodes" }}
          y={even([0, 1, 2, 3, 4, 5])}
          lines={[
            { points: points((row) => row.writer_one) },
            { points: points((row) => row.writer_two), isDashed: true },
          ]}
          bars={articleBars(rows)}
        />
        <FigureTable
          caption="Measured bytes by number of nodes"
          columns={COLUMNS}
          rows={rows}
          empty="Nothing was measured."
        />
      </div>
    </Panel>
  );
}
