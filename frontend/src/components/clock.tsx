import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { keepZone, readZone } from "@/lib/preferences";
import {
  formatAge,
  formatFull,
  formatMoment,
  STALE_AFTER_S,
  serverNow,
  type Zone,
} from "@/lib/time";

interface ZoneChoice {
  zone: Zone;
  toggle: () => void;
}

const ZoneContext = createContext<ZoneChoice>({ zone: "utc", toggle: () => undefined });

export function ZoneProvider({ children }: { children: ReactNode }) {
  const [zone, setZone] = useState<Zone>(readZone);
  const value = useMemo(
    () => ({
      zone,
      toggle: () => {
        const next = zone === "utc" ? "local" : "utc";
        keepZone(next);
        setZone(next);
      },
    }),
    [zone],
  );
  return <ZoneContext value={value}>{children}</ZoneContext>;
}

export const useZone = (): ZoneChoice => useContext(ZoneContext);

/** The server's time, told again every `everyMs`. */
export function useServerNow(everyMs = 1000): number {
  const [now, setNow] = useState(() => serverNow());
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** The age of facts now: what the server said, plus the time since it said so. */
export function useAge(ageAtRead: number | null | undefined, readAtMs: number): number | null {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  if (ageAtRead === null || ageAtRead === undefined) return null;
  return ageAtRead + Math.max(0, now - readAtMs) / 1000;
}

export const isStale = (ageS: number | null): boolean => ageS === null || ageS > STALE_AFTER_S;

/** A moment: short, with the full form on hover and for machines. */
export function Moment({ at }: { at: string | null | undefined }) {
  const { zone } = useZone();
  if (!at) return <span className="faint">unknown</span>;
  return (
    <time dateTime={at} title={formatFull(at, zone)} className="nowrap">
      {formatMoment(at, zone)}
    </time>
  );
}

export function FactsAge({ ageS }: { ageS: number | null }) {
  if (ageS === null) return <span className="faint">facts: never read</span>;
  return <span className={isStale(ageS) ? "strong" : undefined}>facts {formatAge(ageS)} old</span>;
}
