/** One timer per period for the whole page, however many components show a running time. */

interface Ticker {
  listeners: Set<() => void>;
  timer: ReturnType<typeof setInterval> | undefined;
}

const tickers = new Map<number, Ticker>();

/** Calls `listener` every `everyMs` until the returned function is called. */
export function subscribeToTicks(everyMs: number, listener: () => void): () => void {
  const ticker = tickers.get(everyMs) ?? { listeners: new Set(), timer: undefined };
  tickers.set(everyMs, ticker);
  ticker.listeners.add(listener);
  ticker.timer ??= setInterval(() => {
    for (const each of ticker.listeners) each();
  }, everyMs);
  return () => {
    ticker.listeners.delete(listener);
    if (ticker.listeners.size > 0) return;
    clearInterval(ticker.timer);
    tickers.delete(everyMs);
  };
}
