/** One-way delays between sites as they are typed: `rows[a][b]` is from a to b. */
export type DelayRows = readonly (readonly string[])[];

export const MOST_SITES = 6;

const cellsOf = (count: number, cell: (a: number, b: number) => string): DelayRows =>
  Array.from({ length: count }, (_, a) => Array.from({ length: count }, (__, b) => cell(a, b)));

/** The same delay between each two sites. */
export const evenDelays = (count: number, ms: string): DelayRows =>
  cellsOf(count, (a, b) => (a === b ? "0" : ms));

/** More or fewer sites; a new one is as far away as the first two are from each other. */
export const resized = (rows: DelayRows, count: number): DelayRows =>
  cellsOf(count, (a, b) => rows[a]?.[b] ?? (a === b ? "0" : (rows[0]?.[1] ?? "25")));

/** With one delay changed, and the way back with it unless the ways differ. */
export const changed = (
  rows: DelayRows,
  [from, to]: readonly [number, number],
  ms: string,
  differ: boolean,
): DelayRows =>
  rows.map((row, a) =>
    row.map((cell, b) =>
      (a === from && b === to) || (!differ && a === to && b === from) ? ms : cell,
    ),
  );

/** As the API takes it. */
export const queryOf = (rows: DelayRows): string =>
  rows.map((row) => row.map((cell) => cell.trim().replace(",", ".")).join(",")).join(";");
