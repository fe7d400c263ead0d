import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import { FIRST_OTHER_ZONE, otherZone, zonedClockOf } from "@/domain/preferences";
import type { ZonedClock } from "@/lib/format/time";
import { UTC } from "@/lib/format/zone";
import { usePreferences } from "./PreferencesProvider";

interface ZoneChoice {
  zone: ZonedClock;
  /** The zone that `toggle` changes to. */
  other: string;
  /** Changes between UTC and the zone shown before. */
  toggle: () => void;
}

const ZoneContext = createContext<ZoneChoice>({
  zone: { timeZone: UTC, is12h: false },
  other: FIRST_OTHER_ZONE,
  toggle: () => undefined,
});

/** The zone and the clock of all times on the page. */
export function TimeZoneProvider({ children }: { children: ReactNode }) {
  const { preferences, change } = usePreferences();
  const [lastOther, setLastOther] = useState(FIRST_OTHER_ZONE);
  const value = useMemo(() => {
    const zone = zonedClockOf(preferences);
    const other = otherZone(zone.timeZone, lastOther);
    const toggle = () => {
      if (zone.timeZone !== UTC) setLastOther(zone.timeZone);
      change({ time_zone: other });
    };
    return { zone, other, toggle };
  }, [preferences, change, lastOther]);
  return <ZoneContext value={value}>{children}</ZoneContext>;
}

export const useTimeZone = (): ZoneChoice => useContext(ZoneContext);
