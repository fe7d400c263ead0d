/** Reads again what events make out of date, at a bounded pace however many events there are. */
import { hashKey, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { queryKeys } from "./query-keys";

/** A page follows single events at once, and a storm of them four times a second. */
const PACE_MS = 250;
/** The server answers with the same rows of all links for a second. */
const FLEET_PACE_MS = 1000;

const FLEET = hashKey(queryKeys.fleet);

export interface BatchedInvalidation {
  add: (keys: readonly QueryKey[]) => void;
  stop: () => void;
}

/**
 * An event that comes while its data is being read does not cancel that read: with events all the
 * time no read would ever end. The data is read again afterwards, since the read may have begun
 * before the change.
 */
export function batchedInvalidation(client: QueryClient): BatchedInvalidation {
  const waiting = new Map<string, QueryKey>();
  const lastReadAt = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const dueAt = (hash: string) =>
    (lastReadAt.get(hash) ?? 0) + (hash === FLEET ? FLEET_PACE_MS : PACE_MS);
  const flush = () => {
    timer = undefined;
    const now = Date.now();
    for (const [hash, queryKey] of waiting) {
      if (dueAt(hash) > now || client.isFetching({ queryKey }) > 0) continue;
      waiting.delete(hash);
      lastReadAt.set(hash, now);
      void client.invalidateQueries({ queryKey });
    }
    schedule(PACE_MS);
  };
  const schedule = (delayMs: number) => {
    if (waiting.size > 0) timer ??= setTimeout(flush, delayMs);
  };
  return {
    add: (keys) => {
      for (const key of keys) waiting.set(hashKey(key), key);
      const soonest = Math.min(...keys.map((key) => dueAt(hashKey(key))));
      schedule(Math.max(0, soonest - Date.now()));
    },
    stop: () => clearTimeout(timer),
  };
}
