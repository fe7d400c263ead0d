import css from "./Concurrency.module.css";
import {
  type Cell,
  PLOT,
  pathOf,
  type SecondsScale,
  secondsScale,
  THREADS,
  xOf,
} from "./plot-scale";

function Axes({ ticks, y }: SecondsScale) {
  const right = PLOT.width - PLOT.right;
  const bottom = PLOT.height - PLOT.bottom;
  return (
    <g>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className={css.grid} x1={PLOT.left} x2={right} y1={y(tick)} y2={y(tick)} />
          <text x={PLOT.left - 6} y={y(tick) + 4} textAnchor="end">
            {Number(tick.toPrecision(1))} s
          </text>
        </g>
      ))}
      {THREADS.map((threads) => (
        <text key={threads} x={xOf(threads)} y={bottom + 16} textAnchor="middle">
          {threads}
        </text>
      ))}
      <text x={(PLOT.left + right) / 2} y={PLOT.height - 6} textAnchor="middle">
        threads
      </text>
    </g>
  );
}

/** A disc for the article, a square for the lab, a hollow square for its large window. */
function Marks({ cell, y }: { cell: Cell; y: SecondsScale["y"] }) {
  const x = xOf(cell.threads);
  return (
    <g>
      {cell.article_s !== null && (
        <circle className={css.mark} cx={x} cy={y(cell.article_s)} r={4} />
      )}
      {cell.lab_s !== null && (
        <rect className={css.mark} x={x - 3.5} y={y(cell.lab_s) - 3.5} width={7} height={7} />
      )}
      {cell.lab_large_window_s !== null && (
        <rect
          className={css.hollow}
          x={x - 3.5}
          y={y(cell.lab_large_window_s) - 3.5}
          width={7}
          height={7}
        />
      )}
    </g>
  );
}

/** Seconds by threads at one distance; the table below holds the same figures. */
export function MeasuredPlot({ cells, label }: { cells: readonly Cell[]; label: string }) {
  const scale = secondsScale(cells);
  return (
    <figure>
      <svg
        className={css.plot}
        viewBox={`0 0 ${PLOT.width} ${PLOT.height}`}
        role="img"
        aria-label={label}
      >
        <Axes {...scale} />
        <path className={css.model} d={pathOf(cells, (cell) => cell.model_s, scale)} />
        <path className={css.large} d={pathOf(cells, (cell) => cell.model_large_window_s, scale)} />
        {cells.map((cell) => (
          <Marks key={cell.threads} cell={cell} y={scale.y} />
        ))}
      </svg>
      <figcaption className="dim">
        ● article, ■ lab, □ lab with a send window of 512; the lines are the model, dashed with 512.
      </figcaption>
    </figure>
  );
}
