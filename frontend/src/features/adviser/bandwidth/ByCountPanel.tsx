import type { Bandwidth } from "@/api/types";
import { nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { FigureTable, figure } from "../FigureTable";
import { rateText, spanText } from "./rates";

type Row = Bandwidth["by_count"]["rows"][number];

const COLUMNS = [
  nameColumn<Row>("Nodes", ({ nodes, near, far }) => `${nodes} (${near} + ${far})`),
  figure<Row>("Writer sends, one segment", (row) => spanText(row.outbound_one)),
  figure<Row>("Writer sends, two", (row) => spanText(row.outbound_two)),
  figure<Row>("Across the line, one segment", (row) => spanText(row.across_one)),
  figure<Row>("Across the line, two", (row) => spanText(row.across_two)),
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
          <FigureTable
            caption="Outbound of the writer by number of nodes"
            columns={COLUMNS}
            rows={found.rows}
            empty="No rate is known."
          />
        </div>
      )}
    </Panel>
  );
}
