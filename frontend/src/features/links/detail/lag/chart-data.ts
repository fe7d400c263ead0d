/** The points of a curve as the columns of the chart, with a break wherever nothing was sampled. */
import type { Direction, LagCurve, LagPoint } from "@/api/types";

export type Unit = "transactions" | "seconds";

const MEASURE = { transactions: "gap", seconds: "lag_s" } as const;

/** Minimum, average and maximum of a direction; null is unknown. */
export interface Range {
  min: number | null;
  avg: number | null;
  max: number | null;
  unknown: number;
}

export function rangeOf(point: LagPoint, direction: Direction, unit: Unit): Range {
  const name = `${direction}_${MEASURE[unit]}` as const;
  return {
    min: point[`${name}_min`] ?? null,
    avg: point[name] ?? null,
    max: point[`${name}_max`] ?? null,
    unknown: point[`${name}_unknown`] ?? 0,
  };
}

type Column = (number | null)[];

export interface Columns {
  /** x in seconds, then average, minimum and maximum of forward, then of reverse. */
  data: [number[], ...Column[]];
  /** The point of each x; null in a break. */
  points: (LagPoint | null)[];
}

/** Whether nothing was sampled between two points. */
export const isBreak = (curve: LagCurve, before: LagPoint | undefined, point: LagPoint): boolean =>
  before !== undefined && (Date.parse(point.at) - Date.parse(before.at)) / 1000 > curve.gap_after_s;

/** The columns of a curve. A point stands in the middle of the time that it covers. */
export function columnsOf(curve: LagCurve, unit: Unit): Columns {
  const x: number[] = [];
  const points: (LagPoint | null)[] = [];
  const half = curve.resolution_s / 2;
  const end = Date.parse(curve.to) / 1000;
  for (const [index, point] of curve.points.entries()) {
    const at = Date.parse(point.at) / 1000;
    const before = curve.points[index - 1];
    if (before && isBreak(curve, before, point)) {
      x.push((at + Date.parse(before.at) / 1000) / 2 + half);
      points.push(null);
    }
    x.push(Math.min(at + half, Math.max(at, end)));
    points.push(point);
  }
  const columns = (["forward", "reverse"] as const).flatMap((direction) => {
    const ranges = points.map((point) => (point ? rangeOf(point, direction, unit) : null));
    return (["avg", "min", "max"] as const).map((part) =>
      ranges.map((range) => range?.[part] ?? null),
    );
  });
  return { data: [x, ...columns], points };
}

/** Values that no line reaches, because both neighbours are missing: they are drawn as dots. */
export function isolated(column: ArrayLike<number | null | undefined>): number[] {
  const has = (index: number) => column[index] !== null && column[index] !== undefined;
  return Array.from(column, (_, index) => index).filter(
    (index) => has(index) && !has(index - 1) && !has(index + 1),
  );
}
