/** The server's clock: the only one that counts; this machine's clock measures the time since its last answer. */
let offsetMs = 0;
/** Learn the server's clock from one answer; the middle of the round trip is the best guess. */
export function syncServerClock(serverTime: string, sentAtMs: number, receivedAtMs: number): void {
  const parsed = Date.parse(serverTime);
  if (!Number.isNaN(parsed)) offsetMs = parsed - (sentAtMs + receivedAtMs) / 2;
}
/** The server's time now, in epoch milliseconds. */
export function serverNow(localNowMs = Date.now()): number {
  return localNowMs + offsetMs;
}
/** How far this machine's clock is from the server's, in seconds (positive: server ahead). */
export function clockSkewSeconds(): number {
  return offsetMs / 1000;
}
