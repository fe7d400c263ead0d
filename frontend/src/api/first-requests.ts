/**
 * The requests that index.html sends before any script is loaded. Each is answered once and soon: the
 * answers belong to the user who was signed in then, and say what was true then.
 */
import { LIVE_MS } from "./polling";

export interface FirstRequest {
  response: Promise<Response>;
  sentAtMs: number;
  /** Infinity until it is answered. */
  receivedAtMs: number;
}

declare global {
  interface Window {
    hawserFirst?: Map<string, FirstRequest>;
  }
}

/** The request of that address, for one caller; undefined where none was sent or its answer is old. */
export function takeFirst(path: string, nowMs = Date.now()): FirstRequest | undefined {
  const first = window.hawserFirst?.get(path);
  window.hawserFirst?.delete(path);
  const isOld = first !== undefined && nowMs - first.receivedAtMs > LIVE_MS;
  return isOld ? undefined : first;
}

/** How a call is sent that may have been sent already; a request that failed is sent again. */
export const answeredBy = (first: FirstRequest | undefined) =>
  first && { fetch: (request: Request) => first.response.catch(() => fetch(request)) };

/** Forgets the answers: the next user must not see them. */
export const dropFirst = (): void => window.hawserFirst?.clear();
