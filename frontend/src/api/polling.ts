/** How often data is read where no event came, and how long one read may take. */

export const LIVE_MS = 2000;
export const SLOW_MS = 15_000;
/** A connection may stay open with no server behind it: a repeated read is given up after this long. */
const READ_TIMEOUT_MS = 15_000;

/** The signal of a read that is repeated in any case. */
export const withTimeout = (signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(READ_TIMEOUT_MS)]);

/** What reads the servers' logs and is recorded: it runs when it is asked for, never again without that. */
export const ONCE = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  retry: false,
} as const;
