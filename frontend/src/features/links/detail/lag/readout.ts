/** What one point says, in words. */
import type { LagCurve, LagPoint } from "@/api/types";
import { statusFor } from "@/domain/status";
import { formatNumber } from "@/lib/format/number";
import { formatFull, type Zone } from "@/lib/format/time";
import { type Range, rangeOf, type Unit } from "./chart-data";

const rounded = (value: number) =>
  formatNumber(value < 100 ? Math.round(value * 10) / 10 : Math.round(value));

/** "12 (3–40)", "12" where all are equal, "unknown"; how many samples were unknown among others. */
export function rangeText({ min, avg, max, unknown }: Range, samples: number): string {
  if (avg === null) return "unknown";
  const span = min === max ? "" : ` (${formatNumber(min)}–${formatNumber(max)})`;
  return `${rounded(avg)}${span}${unknown > 0 ? `, ${unknown} of ${samples} unknown` : ""}`;
}

/** "500 ms" has no use here: points cover 1 s to a day. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${seconds / 60} min`;
  return `${seconds / 3600} h`;
}

/** The point in one line, for screen readers. */
export function pointText(point: LagPoint | null | undefined, unit: Unit, zone: Zone): string {
  if (!point) return "no samples";
  const { word } = statusFor("link", point.state);
  const of = (direction: "forward" | "reverse") =>
    `${direction} ${rangeText(rangeOf(point, direction, unit), point.samples)}`;
  return `${formatFull(point.at, zone)}: ${word}, ${of("forward")}, ${of("reverse")} ${unit}`;
}

/** The name of the chart, with its time and what one point covers. */
export const chartLabel = (curve: LagCurve, unit: Unit, zone: Zone): string =>
  `Lag in ${unit} from ${formatFull(curve.from, zone)} to ${formatFull(curve.to, zone)}, ` +
  `${durationText(curve.resolution_s)} a point`;
