import type { Bandwidth } from "@/api/types";
import css from "./Bandwidth.module.css";

type Row = Bandwidth["measured"][number];

const PLOT = { width: 560, height: 240, left: 34, right: 12, top: 12, bottom: 40 } as const;
const COUNTS = [2, 3, 4, 5] as const;
const MOST = 5;
const inner = {
  width: PLOT.width - PLOT.left - PLOT.right,
  height: PLOT.height - PLOT.top - PLOT.bottom,
};

const x = (nodes: number) => PLOT.left + ((nodes - 1.8) / 3.4) * inner.width;
const y = (copies: number) => PLOT.top + inner.height * (1 - copies / MOST);
const path = (rows: readonly Row[], value: (row: Row) => number) =>
  rows
    .map(
      (row, at) =>
        `${at ? "L" : "M"}${x(row.near + row.far).toFixed(1)} ${y(value(row)).toFixed(1)}`,
    )
    .join("");

function Axes() {
  return (
    <g>
      {[0, 1, 2, 3, 4, 5].map((tick) => (
        <g key={tick}>
          <line
            className={css.grid}
            x1={PLOT.left}
            x2={PLOT.width - PLOT.right}
            y1={y(tick)}
            y2={y(tick)}
          />
          <text x={PLOT.left - 6} y={y(tick) + 4} textAnchor="end">
            {tick}
          </text>
        </g>
      ))}
      {COUNTS.map((count) => (
        <text key={count} x={x(count)} y={PLOT.height - PLOT.bottom + 16} textAnchor="middle">
          {count}
        </text>
      ))}
      <text x={PLOT.left + inner.width / 2} y={PLOT.height - 6} textAnchor="middle">
        nodes
      </text>
    </g>
  );
}

/** The article's bounds, put to scale by the lab's figure with two nodes. */
function Article({ rows }: { rows: readonly Row[] }) {
  const first = rows.find((row) => row.article_low_kb !== null && row.article_high_kb !== null);
  if (!first) return null;
  const middle = ((first.article_low_kb ?? 0) + (first.article_high_kb ?? 0)) / 2;
  const scaled = (kb: number) => y((kb / middle) * first.writer_one);
  return rows.map(({ near, far, article_low_kb: low, article_high_kb: high }) =>
    low === null || high === null ? null : (
      <line
        key={near + far}
        className={css.article}
        x1={x(near + far) + 9}
        x2={x(near + far) + 9}
        y1={scaled(low)}
        y2={scaled(high)}
      />
    ),
  );
}

/** Bytes that the writer sends for one byte written, by number of nodes; the table holds the same. */
export function MeasuredPlot({ rows }: { rows: readonly Row[] }) {
  return (
    <figure>
      <svg
        className={css.plot}
        viewBox={`0 0 ${PLOT.width} ${PLOT.height}`}
        role="img"
        aria-label="Bytes that the writer sends for one byte written, by number of nodes"
      >
        <Axes />
        <path className={css.one} d={path(rows, (row) => row.writer_one)} />
        <path className={css.two} d={path(rows, (row) => row.writer_two)} />
        <Article rows={rows} />
      </svg>
      <figcaption className="dim">
        The writer's bytes for one byte written: solid in one segment, dashed with two. The bars are
        the article's range, to the scale of the lab's two nodes.
      </figcaption>
    </figure>
  );
}
