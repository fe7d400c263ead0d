/**
 * A call that is refused until the user proves to be present is asked for and sent again, with the
 * same idempotency key: what was typed in the page stays, and the call acts once.
 */
import type { Middleware } from "openapi-fetch";

/** Asks the user, who can prove it in one of these ways; false if the user cancels. */
type Ask = (ways: string[]) => Promise<boolean>;

const PROOF = "/session/proof";
const kept = new Map<string, Request>();
let ask: Ask | null = null;
let asked: Promise<boolean> | null = null;

/** Sets who asks the user; returns how to end that. */
export function askBy(asker: Ask): () => void {
  ask = asker;
  return () => {
    ask = null;
  };
}

/** How the user can prove to be present; null for any other response. */
async function waysOf(response: Response): Promise<string[] | null> {
  if (response.status !== 403) return null;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const { code, ways } = (body ?? {}) as { code?: unknown; ways?: unknown };
  return code === "step_up_needed" && Array.isArray(ways) ? ways.map(String) : null;
}

/** Asks once for all calls that wait. */
function proven(ways: string[]): Promise<boolean> {
  if (ask === null) return Promise.resolve(false);
  asked ??= ask(ways).finally(() => {
    asked = null;
  });
  return asked;
}

export const stepUp: Middleware = {
  // A browser sends a body that was cloned as a stream, and its tools do not see it: it is read instead.
  async onRequest({ request, id }) {
    if (request.url.includes(PROOF)) return undefined;
    const body = request.method === "GET" ? null : await request.arrayBuffer();
    if (!body?.byteLength) {
      kept.set(id, request.clone());
      return undefined;
    }
    kept.set(id, new Request(request, { body }));
    return new Request(request, { body });
  },
  async onResponse({ response, id }) {
    const again = kept.get(id);
    kept.delete(id);
    const ways = again && (await waysOf(response));
    if (!again || !ways || !(await proven(ways))) return response;
    return fetch(again);
  },
  onError({ id }) {
    kept.delete(id);
  },
};
