/** Figures of a calibration, in words. */
import type { Calibration } from "@/api/types";
import { rangeText } from "./running-figures";

export type CalibrationStep = NonNullable<Calibration["result"]>["steps"][number];

const one = (value: number | null, unit: string): string =>
  value === null ? "unknown" : `${rangeText(value)} ${unit}`;

export const rateText = ({ per_s }: CalibrationStep): string => one(per_s, "/s");

export const commitText = ({ p50_ms, p95_ms }: CalibrationStep): string =>
  p95_ms === null ? one(p50_ms, "ms") : `${one(p50_ms, "ms")}, ${one(p95_ms, "ms")} p95`;

export function modelText({ model_low_per_s: low, model_high_per_s: high }: CalibrationStep) {
  return low === null || high === null ? "none" : `${rangeText(low, high)} /s`;
}

/** How far the measured rate is beyond the model's range. */
export function apartText({ apart_percent: apart }: CalibrationStep): string {
  if (apart === null) return "unknown";
  if (apart === 0) return "within the model";
  return `${rangeText(Math.abs(apart))} % ${apart < 0 ? "slower" : "faster"}`;
}
