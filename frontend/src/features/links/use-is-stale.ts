import { useCallback, useSyncExternalStore } from "react";
import { isStale } from "@/domain/freshness";
import { subscribeToTicks } from "@/lib/ticker";

const PERIOD_MS = 500;

/** Whether data is too old to act on; renders again only when the answer changes. */
export function useIsStale(ageAtRead: number | null, readAtMs: number): boolean {
  const subscribe = useCallback(
    (listener: () => void) => subscribeToTicks(PERIOD_MS, listener),
    [],
  );
  return useSyncExternalStore(subscribe, () =>
    isStale(ageAtRead === null ? null : ageAtRead + Math.max(0, Date.now() - readAtMs) / 1000),
  );
}
