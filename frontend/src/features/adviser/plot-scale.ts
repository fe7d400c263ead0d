/** Where a value lies between both ends of an axis, from 0 to 1, and the values that are written at it. */
export interface Scale {
  ticks: readonly number[];
  at: (value: number) => number;
}

/** A value to the right and one upwards; null is unknown. */
export type Point = readonly [x: number, y: number | null];

/** Even steps, with some room beyond the first and the last. */
export function even(ticks: readonly number[], margin = 0): Scale {
  const [low, high] = [Math.min(...ticks) - margin, Math.max(...ticks) + margin];
  return { ticks, at: (value) => (value - low) / (high - low) };
}

/** Doublings from 1 on. */
export const doublings = (ticks: readonly number[]): Scale => ({
  ticks,
  at: (value) => Math.log2(value) / Math.log2(Math.max(...ticks)),
});

/** Whole powers of ten around all values that are known. */
export function decades(values: readonly (number | null)[]): Scale {
  const known = values.filter((value) => value !== null);
  const low = Math.floor(Math.log10(Math.min(...known)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...known))));
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at)),
    at: (value) => (Math.log10(value) - low) / (high - low),
  };
}

/** The points whose value is known. */
export const knownOf = (points: readonly Point[]) =>
  points.flatMap(([x, y]) => (y === null ? [] : [[x, y] as const]));
