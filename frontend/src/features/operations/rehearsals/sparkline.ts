/** The trend of an operation: the estimated duration of a run, by rehearsal. */
import type { Rehearsal } from "@/api/types";
import { formatEstimate } from "@/lib/format/time";

export interface TrendPoint {
  x: number;
  y: number;
  ok: boolean;
  title: string;
}

export interface Trend {
  points: TrendPoint[];
  /** The line through the rehearsals that passed. */
  line: string;
  words: string;
}

export const TREND_WIDTH = 300;
export const TREND_HEIGHT = 48;
const EDGE = 6;

function range(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const most = formatEstimate(high);
  return low === high ? most : `${formatEstimate(low)} to ${most}`;
}

/** Oldest on the left; a failed rehearsal is on the base line, since it has no time. */
export function trendOf(
  rehearsals: readonly Rehearsal[],
  titleOf: (r: Rehearsal) => string,
): Trend {
  const oldestFirst = [...rehearsals].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const known = oldestFirst
    .flatMap((r) => (r.state === "passed" ? [r.estimate_s ?? []] : []))
    .flat();
  const top = Math.max(1, ...known) * 1.1;
  const step = oldestFirst.length > 1 ? (TREND_WIDTH - 2 * EDGE) / (oldestFirst.length - 1) : 0;
  const points = oldestFirst.map((r, index) => {
    const ok = r.state === "passed";
    const value = ok ? (r.estimate_s ?? 0) : 0;
    return {
      x: EDGE + index * step,
      y: TREND_HEIGHT - EDGE - (value / top) * (TREND_HEIGHT - 2 * EDGE),
      ok,
      title: titleOf(r),
    };
  });
  const failed = oldestFirst.filter((r) => r.state === "failed").length;
  const took = known.length > 0 ? `estimated run time ${range(known)}` : "time unknown";
  return {
    points,
    line: points
      .filter((point) => point.ok)
      .map(
        (point, index) => `${index === 0 ? "M" : "L"}${point.x.toFixed(1)} ${point.y.toFixed(1)}`,
      )
      .join(""),
    words: `${oldestFirst.length} rehearsed, ${failed} failed; ${took}`,
  };
}
