import type { Preferences } from "@/api/types";
import type { ZonedClock } from "@/lib/format/time";
import { isKnownZone, LOCAL, UTC } from "@/lib/format/zone";

/** UTC unless the user chose otherwise: two sites, two operators, one clock. */
export const DEFAULT_PREFERENCES: Preferences = {
  time_zone: UTC,
  time_format: "24h",
  density: "comfortable",
  color_scheme: "auto",
  link_views: [],
  workflow_view: "steps",
  tour: "offered",
};

/** Zone and clock of all times on the page; UTC where this browser does not know the zone. */
export const zonedClockOf = ({ time_zone, time_format }: Preferences): ZonedClock => ({
  timeZone: isKnownZone(time_zone) ? time_zone : UTC,
  is12h: time_format === "12h",
});

/** The zone that a click on the clock changes to: UTC and back. */
export const otherZone = (current: string, lastOther: string): string =>
  current === UTC ? lastOther : UTC;

/** The zone to return to from UTC, where none was chosen before: that of this computer. */
export const FIRST_OTHER_ZONE = LOCAL;
