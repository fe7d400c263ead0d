import type { ChangeWindow } from "@/api/types";

export const WEEKDAYS = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
] as const;

/** When a weekly window is open; null for one that opens once. */
export function weeklyText(window: ChangeWindow): string | null {
  if (window.starts === null) return null;
  const days = window.weekdays.map((day) => WEEKDAYS[day] ?? "?").join(", ");
  return `${days} from ${window.starts.slice(0, 5)} (${window.zone}) for ${window.minutes} min`;
}

/** The links an entry applies to, by name. */
export function linksText(
  ids: readonly string[],
  known: readonly { id: string; name: string }[],
): string {
  if (ids.length === 0) return "all links";
  return ids.map((id) => known.find((link) => link.id === id)?.name ?? id).join(", ");
}

/** A local date and time of the browser as the API takes it; as entered where it is none. */
export function asInstant(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? local : at.toISOString();
}
