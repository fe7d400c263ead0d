import { useCallback, useSyncExternalStore } from "react";
import { isStale } from "@/domain/freshness";
import { subscribeToTicks } from "@/lib/ticker";

const PERIOD_MS = 500;

function ageNow(ageAtRead: number | null, readAtMs: number): number | null {
  if (ageAtRead === null) return null;
  const ageS = ageAtRead + Math.max(0, Date.now() - readAtMs) / 1000;
  return isStale(ageS) ? Math.ceil(ageS * 2) / 2 : ageAtRead;
}

/** The age of data: as it was read while the data is fresh, and as of now once it is stale. A page that uses it renders again only when that matters. */
export function useAgeOnceStale(ageAtRead: number | null, readAtMs: number): number | null {
  const subscribe = useCallback(
    (listener: () => void) => subscribeToTicks(PERIOD_MS, listener),
    [],
  );
  return useSyncExternalStore(subscribe, () => ageNow(ageAtRead, readAtMs));
}
