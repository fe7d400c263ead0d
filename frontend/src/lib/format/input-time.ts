/** Times of inputs: ISO in the address and the API, local text in a datetime-local input. */
import { type Zone, zoneNameOf } from "./time";
import { fromZone, offsetMinutes } from "./zone";

const MINUTE_MS = 60_000;

/** "2026-11-21T02:00Z" -> "2026-11-21T02:00" in the zone, or to the second; empty where it is no time. */
export function toInputTime(
  iso: string | undefined,
  zone: Zone,
  precision: "minute" | "second" = "minute",
): string {
  const date = new Date(iso ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return "";
  const offsetMs = offsetMinutes(date, zoneNameOf(zone)) * MINUTE_MS;
  return new Date(date.getTime() + offsetMs)
    .toISOString()
    .slice(0, precision === "minute" ? 16 : 19);
}

/** The input's text in the zone -> an ISO time; undefined where the input is empty. */
export function fromInputTime(text: string, zone: Zone): string | undefined {
  const wall = new Date(`${text}Z`);
  return Number.isNaN(wall.getTime()) ? undefined : fromZone(wall, zoneNameOf(zone)).toISOString();
}

/** The start of a range that ends now, cut to the minute as the input shows it. */
export const rangeStart = (durationMs: number, nowMs: number): string =>
  new Date(Math.floor((nowMs - durationMs) / MINUTE_MS) * MINUTE_MS).toISOString();

/** The end of a time that begins now, rounded up to the minute. */
export const rangeEnd = (durationMs: number, nowMs: number): string =>
  new Date(Math.ceil((nowMs + durationMs) / MINUTE_MS) * MINUTE_MS).toISOString();
