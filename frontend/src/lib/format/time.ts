/** Times, ages and durations as an operator reads them. */
import { serverNow } from "@/lib/server-clock";
import { LOCALE } from "./locale";
import { inZone, LOCAL, offsetMinutes, UTC } from "./zone";

/** The zone and the clock in which times are shown. */
export interface ZonedClock {
  /** An IANA name, `UTC`, or `local` for the zone of this computer. */
  timeZone: string;
  is12h: boolean;
}

/** A zone with its clock, or UTC or local time on the clock of 24 hours. */
export type Zone = "utc" | "local" | ZonedClock;

export const zoneNameOf = (zone: Zone): string =>
  typeof zone === "object" ? zone.timeZone : zone === "utc" ? UTC : LOCAL;

/** "0.8 s", "14 s", "3 min", "2 h", "5 d"; null is unknown. */
export function formatAge(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || Number.isNaN(seconds)) return "unknown";
  const age = Math.max(0, seconds);
  if (age < 10) return `${age.toFixed(1)} s`;
  if (age < 120) return `${Math.round(age)} s`;
  if (age < 7200) return `${Math.round(age / 60)} min`;
  if (age < 172_800) return `${Math.round(age / 3600)} h`;
  return `${Math.round(age / 86_400)} d`;
}

/** "m:ss", "h:mm:ss" or, with tenths, "m:ss.t": for clocks that count. */
export function formatElapsed(ms: number, tenths = false): string {
  const total = Math.max(0, ms);
  const hours = Math.floor(total / 3_600_000);
  const minutes = Math.floor((total % 3_600_000) / 60_000);
  const seconds = Math.floor((total % 60_000) / 1000);
  const tail = tenths ? `.${Math.floor((total % 1000) / 100)}` : "";
  const ss = String(seconds).padStart(2, "0") + tail;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${ss}` : `${minutes}:${ss}`;
}

/** A duration for a table cell: "18 ms", "0.42 s", "1 min 12 s". */
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 0.1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${seconds.toFixed(2)} s`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** An estimate is not a measurement: one digit after the point at most. */
export function formatEstimate(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return "unknown time";
  return seconds < 60 ? `${seconds.toFixed(seconds < 10 ? 1 : 0)} s` : formatDuration(seconds);
}

const pad = (n: number, width = 2) => String(n).padStart(width, "0");

const parts = (date: Date, zone: Zone) => inZone(date, zoneNameOf(zone));

const MONTH = new Intl.DateTimeFormat(LOCALE, { month: "short", timeZone: "UTC" });

const monthName = (year: number, month: number) => MONTH.format(Date.UTC(year, month));

type Moment = string | number | Date;

/** Hour and the rest of a clock time: "02:14" or, on the clock of 12 hours, "2:14 AM". */
function onClock(hour: number, rest: string, zone: Zone): string {
  if (typeof zone !== "object" || !zone.is12h) return `${pad(hour)}${rest}`;
  return `${hour % 12 || 12}${rest} ${hour < 12 ? "AM" : "PM"}`;
}

/** "02:14:07", with milliseconds "02:14:07.612"; on the clock of 12 hours "2:14:07 AM". */
export function formatClock(at: Moment, zone: Zone, millis = false): string {
  const p = parts(new Date(at), zone);
  return onClock(p.h, `:${pad(p.mi)}:${pad(p.s)}${millis ? `.${pad(p.ms, 3)}` : ""}`, zone);
}

/** "2026-11-21 02:14:07 UTC": the form for hover texts, reports and clipboards. */
export function formatFull(at: Moment, zone: Zone): string {
  const date = new Date(at);
  const p = parts(date, zone);
  return `${p.y}-${pad(p.mo + 1)}-${pad(p.d)} ${formatClock(date, zone)} ${zoneLabel(zone, date)}`;
}

/** Clock time for today, "3 Nov 02:07" for another day. */
export function formatMoment(at: Moment, zone: Zone, nowMs = serverNow()): string {
  const p = parts(new Date(at), zone);
  const now = parts(new Date(nowMs), zone);
  if (p.y === now.y && p.mo === now.mo && p.d === now.d) return formatClock(at, zone);
  return `${p.d} ${monthName(p.y, p.mo)} ${onClock(p.h, `:${pad(p.mi)}`, zone)}`;
}

/** "UTC", or the zone with its offset: "local, UTC+2", "Europe/Rome, UTC+1". */
export function zoneLabel(zone: Zone, at: Date = new Date()): string {
  const name = zoneNameOf(zone);
  if (name === UTC) return "UTC";
  const minutes = offsetMinutes(at, name);
  const sign = minutes < 0 ? "−" : "+";
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  return `${name}, UTC${sign}${hours}${rest ? `:${pad(rest)}` : ""}`;
}
