/** The time that the lag panel shows, as its address says it. Times are epoch milliseconds. */
import type { LagSpan } from "@/api/types";

/** `minutes` stay in the address while a part of them is shown: to them a reset returns. */
export interface LagSearch {
  minutes?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface Domain {
  from: number;
  to: number;
}

const DEFAULT_MINUTES = 15;
const MAX_MINUTES = 90 * 24 * 60;
const MINUTE = 60_000;
/** Shorter than this there is nothing to see: one sample comes each second. */
const SHORTEST_MS = 10_000;

export const PRESETS = [
  { minutes: 15, label: "15 min" },
  { minutes: 60, label: "1 h" },
  { minutes: 360, label: "6 h" },
  { minutes: 1440, label: "24 h" },
  { minutes: 10_080, label: "7 d" },
  { minutes: 43_200, label: "30 d" },
  { minutes: MAX_MINUTES, label: "90 d" },
] as const;

/** The time of an address; what is malformed, without a beginning or an end, or turned around counts as absent. */
export function spanOf({ minutes = DEFAULT_MINUTES, from, to }: LagSearch): LagSpan {
  if (from && to && Date.parse(from) < Date.parse(to)) return { from, to };
  const isValid = Number.isInteger(minutes) && minutes >= 1 && minutes <= MAX_MINUTES;
  return { minutes: isValid ? minutes : DEFAULT_MINUTES };
}

const iso = (at: number) => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");

/** The address of a chosen time: whole seconds, never the future, no shorter than can be seen. */
export function searchOf(wanted: Domain, now: number): LagSearch {
  const length = Math.min(Math.max(wanted.to - wanted.from, SHORTEST_MS), MAX_MINUTES * MINUTE);
  const center = (wanted.from + wanted.to) / 2;
  const to = Math.min(Math.max(center + length / 2, now - MAX_MINUTES * MINUTE + length), now);
  return { from: iso(to - length), to: iso(to) };
}

/** The same time moved by a part of its length: negative is earlier. */
export const moved = ({ from, to }: Domain, part: number): Domain => {
  const by = (to - from) * part;
  return { from: from + by, to: to + by };
};

/** The same middle, so many times as long. */
export const scaled = ({ from, to }: Domain, times: number): Domain => {
  const center = (from + to) / 2;
  const half = ((to - from) * times) / 2;
  return { from: center - half, to: center + half };
};
