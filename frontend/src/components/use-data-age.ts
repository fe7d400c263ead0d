import { useCallback, useSyncExternalStore } from "react";
import { subscribeToTicks } from "@/lib/ticker";

const AGE_PERIOD_MS = 500;

/** The age of data in seconds now: what the server said, plus the time since it said so. */
export function useDataAge(ageAtRead: number | null | undefined, readAtMs: number): number | null {
  const subscribe = useCallback(
    (listener: () => void) => subscribeToTicks(AGE_PERIOD_MS, listener),
    [],
  );
  const nowMs = useSyncExternalStore(
    subscribe,
    () => Math.floor(Date.now() / AGE_PERIOD_MS) * AGE_PERIOD_MS,
  );
  if (ageAtRead === null || ageAtRead === undefined) return null;
  return ageAtRead + Math.max(0, nowMs - readAtMs) / 1000;
}
