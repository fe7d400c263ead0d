/** What the browser keeps for one person: nothing but how things are shown. */
import type { Zone } from "@/lib/format/time";

const ZONE_KEY = "hawser.zone";

/** UTC unless the person chose otherwise: two sites, two operators, one clock. */
export function readTimeZone(): Zone {
  try {
    return localStorage.getItem(ZONE_KEY) === "local" ? "local" : "utc";
  } catch {
    return "utc"; // Storage may be forbidden; the default then holds for the visit.
  }
}

export function saveTimeZone(zone: Zone): void {
  try {
    localStorage.setItem(ZONE_KEY, zone);
  } catch {
    return; // Same: the choice holds for the visit only.
  }
}
