import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { Concurrency } from "@/api/types";
import { nameColumn, numberColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { FigureTable } from "../FigureTable";
import { MeasuredPlot } from "../MeasuredPlot";
import { decades, doublings } from "../plot-scale";

type Cell = Concurrency["table"][number];
type Seconds = (cell: Cell) => number | null;

const FIGURES = {
  article: (cell) => cell.article_s,
  lab: (cell) => cell.lab_s,
  model: (cell) => cell.model_s,
  labLarge: (cell) => cell.lab_large_window_s,
  modelLarge: (cell) => cell.model_large_window_s,
} satisfies Record<string, Seconds>;

const seconds = (header: string, of: Seconds) =>
  numberColumn<Cell>(header, (cell) => {
    const value = of(cell);
    return value === null ? <span className="faint">–</span> : `${value} s`;
  });

const COLUMNS = [
  nameColumn<Cell>("Threads", ({ threads }) => threads),
  seconds("Article", FIGURES.article),
  seconds("Lab", FIGURES.lab),
  seconds("Model", FIGURES.model),
  seconds("Lab, 512", FIGURES.labLarge),
  seconds("Model, 512", FIGURES.modelLarge),
];

/** 500 single-row inserts at three distances: what was measured, and what the model says of it. */
export function MeasuredPanel({ table }: { table: readonly Cell[] }) {
  const delays = [...new Set(table.map((cell) => cell.delay_ms))];
  const [delay, setDelay] = useState("50");
  const cells = table.filter((cell) => String(cell.delay_ms) === delay);
  const points = (of: Seconds) => cells.map((cell) => [cell.threads, of(cell)] as const);
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
        <MeasuredPlot
          label={`Seconds of 500 inserts by threads at ${delay} ms`}
          caption="● article, ■ lab, □ lab with a send window of 512; the lines are the model, dashed with 512."
          x={{ ...doublings([1, 2, 4, 8, 16, 32, 64]), title: "threads" }}
          y={{ ...decades(Object.values(FIGURES).flatMap((of) => cells.map(of))), unit: " s" }}
          lines={[
            { points: points(FIGURES.model) },
            { points: points(FIGURES.modelLarge), isDashed: true },
          ]}
          marks={[
            { shape: "disc", points: points(FIGURES.article) },
            { shape: "square", points: points(FIGURES.lab) },
            { shape: "hollow", points: points(FIGURES.labLarge) },
          ]}
        />
        <FigureTable
          caption={`Seconds of 500 inserts at ${delay} ms round trip`}
          columns={COLUMNS}
          rows={cells}
          empty="Nothing was measured."
        />
      </div>
    </Panel>
  );
}
