import { useCallback, useSyncExternalStore } from "react";
import { serverNow } from "@/lib/server-clock";
import { subscribeToTicks } from "@/lib/ticker";

/** The server's time in epoch milliseconds, renewed every `everyMs`; use it in the leaf that shows it. */
export function useServerTime(everyMs = 1000): number {
  const subscribe = useCallback(
    (listener: () => void) => subscribeToTicks(everyMs, listener),
    [everyMs],
  );
  return useSyncExternalStore(subscribe, () => Math.floor(serverNow() / everyMs) * everyMs);
}
