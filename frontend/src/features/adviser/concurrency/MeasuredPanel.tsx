import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { type Column, DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { MeasuredPlot } from "./MeasuredPlot";
import type { Cell } from "./plot-scale";

const seconds = (value: number | null) =>
  value === null ? <span className="faint">–</span> : `${value} s`;

const COLUMNS: readonly Column<Cell>[] = [
  { key: "threads", header: "Threads", isRowHeader: true, cell: (c) => c.threads },
  { key: "article", header: "Article", align: "right", cell: (c) => seconds(c.article_s) },
  { key: "lab", header: "Lab", align: "right", cell: (c) => seconds(c.lab_s) },
  { key: "model", header: "Model", align: "right", cell: (c) => seconds(c.model_s) },
  { key: "lab512", header: "Lab, 512", align: "right", cell: (c) => seconds(c.lab_large_window_s) },
  {
    key: "model512",
    header: "Model, 512",
    align: "right",
    cell: (c) => seconds(c.model_large_window_s),
  },
];

/** 500 single-row inserts at three distances: what was measured, and what the model says of it. */
export function MeasuredPanel({ table }: { table: readonly Cell[] }) {
  const delays = [...new Set(table.map((cell) => cell.delay_ms))];
  const [delay, setDelay] = useState("50");
  const cells = table.filter((cell) => String(cell.delay_ms) === delay);
  return (
    <Panel title="500 inserts, measured">
      <div className="stack">
        <p className="dim">
          Writer near, one of three nodes away. The lab's runs were made once; from 32 threads on
          they inserted 2,000 rows, and the seconds are of 500.
          {delay === "0.05" && " Here the cluster's own rate limits, so the model has no figure."}
        </p>
        <div>
          <SegmentedControl
            aria-label="Round trip"
            value={delay}
            onChange={setDelay}
            data={delays.map((ms) => ({ value: String(ms), label: `${ms} ms` }))}
          />
        </div>
        <MeasuredPlot cells={cells} label={`Seconds of 500 inserts by threads at ${delay} ms`} />
        <DataTable
          caption={`Seconds of 500 inserts at ${delay} ms round trip`}
          columns={COLUMNS}
          rows={cells}
          rowKey={(cell) => cell.threads}
          empty="Nothing was measured."
        />
      </div>
    </Panel>
  );
}
