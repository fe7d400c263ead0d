import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import type { Zone } from "@/lib/format/time";
import { readTimeZone, saveTimeZone } from "@/lib/local-preferences";

interface ZoneChoice {
  zone: Zone;
  toggle: () => void;
}
const ZoneContext = createContext<ZoneChoice>({ zone: "utc", toggle: () => undefined });
export function TimeZoneProvider({ children }: { children: ReactNode }) {
  const [zone, setZone] = useState<Zone>(readTimeZone);
  const value = useMemo(
    () => ({
      zone,
      toggle: () => {
        const next = zone === "utc" ? "local" : "utc";
        saveTimeZone(next);
        setZone(next);
      },
    }),
    [zone],
  );
  return <ZoneContext value={value}>{children}</ZoneContext>;
}
export const useTimeZone = (): ZoneChoice => useContext(ZoneContext);
