/** A moment as date and clock time of a zone, and back. */
import { LOCALE } from "./locale";

export const UTC = "UTC";
/** The zone of this computer. */
export const LOCAL = "local";

const formats = new Map<string, Intl.DateTimeFormat>();

/** One formatter for each zone: making one is slow. */
function formatOf(name: string): Intl.DateTimeFormat {
  const known = formats.get(name);
  if (known) return known;
  const made = new Intl.DateTimeFormat(LOCALE, {
    ...(name === LOCAL ? {} : { timeZone: name }),
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(name, made);
  return made;
}

/** The moment in the zone, as a Date whose UTC fields are those of the zone. */
function shifted(date: Date, name: string): Date {
  if (name === UTC || Number.isNaN(date.getTime())) return date;
  const found = new Map(
    formatOf(name)
      .formatToParts(date)
      .map(({ type, value }) => [type, value]),
  );
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(found.get(type));
  const [year, month, day] = [read("year"), read("month") - 1, read("day")];
  const ms = date.getUTCMilliseconds();
  return new Date(Date.UTC(year, month, day, read("hour"), read("minute"), read("second"), ms));
}

/** Date and clock time in the zone; the month counts from 0. */
export function inZone(date: Date, name: string) {
  const at = shifted(date, name);
  return {
    y: at.getUTCFullYear(),
    mo: at.getUTCMonth(),
    d: at.getUTCDate(),
    h: at.getUTCHours(),
    mi: at.getUTCMinutes(),
    s: at.getUTCSeconds(),
    ms: at.getUTCMilliseconds(),
  };
}

/** How far the zone is from UTC at that moment; east is positive. */
export const offsetMinutes = (date: Date, name: string): number =>
  Math.round((shifted(date, name).getTime() - date.getTime()) / 60_000);

/** The moment at which the zone's clocks show what the UTC fields of `wall` say. */
export function fromZone(wall: Date, name: string): Date {
  const guess = new Date(wall.getTime() - offsetMinutes(wall, name) * 60_000);
  return new Date(wall.getTime() - offsetMinutes(guess, name) * 60_000);
}

/** Whether this browser knows the zone; a newer server may know more. */
export function isKnownZone(name: string): boolean {
  if (name === LOCAL) return true;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}
