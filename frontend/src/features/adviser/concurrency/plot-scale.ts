import type { Concurrency } from "@/api/types";

export type Cell = Concurrency["table"][number];

/** The plot in its own units: threads to the right, seconds upwards, both by their logarithm. */
export const PLOT = { width: 560, height: 300, left: 46, right: 12, top: 12, bottom: 40 } as const;
export const THREADS = [1, 2, 4, 8, 16, 32, 64] as const;

const inner = {
  width: PLOT.width - PLOT.left - PLOT.right,
  height: PLOT.height - PLOT.top - PLOT.bottom,
};

export const xOf = (threads: number) => PLOT.left + (Math.log2(threads) / 6) * inner.width;

export interface SecondsScale {
  ticks: readonly number[];
  y: (seconds: number) => number;
}

const valuesOf = (cell: Cell) =>
  [
    cell.article_s,
    cell.lab_s,
    cell.lab_large_window_s,
    cell.model_s,
    cell.model_large_window_s,
  ].filter((value) => value !== null);

/** Whole powers of ten around all values. */
export function secondsScale(cells: readonly Cell[]): SecondsScale {
  const values = cells.flatMap(valuesOf);
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const y = (seconds: number) =>
    PLOT.top + inner.height * (1 - (Math.log10(seconds) - low) / (high - low));
  return { ticks: Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at)), y };
}

/** A line through the known values. */
export function pathOf(
  cells: readonly Cell[],
  value: (cell: Cell) => number | null,
  { y }: SecondsScale,
): string {
  return cells
    .flatMap((cell) => {
      const seconds = value(cell);
      return seconds === null ? [] : [`${xOf(cell.threads).toFixed(1)} ${y(seconds).toFixed(1)}`];
    })
    .map((point, at) => `${at ? "L" : "M"}${point}`)
    .join("");
}
