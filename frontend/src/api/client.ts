/** The typed way to the server: session cookie, CSRF, idempotency, and refusals as `Problem`. */
import createClient, { type Middleware } from "openapi-fetch";
import type { paths } from "@/api/generated/schema";
import { isIdle } from "@/lib/idle";
import { randomId } from "@/lib/random-id";
import { dropFirst } from "./first-requests";
import { Problem, problemFrom, unreachable } from "./problem";
import { stepUp } from "./step-up";

export const API = "/api/v1";

type Query = Record<string, string | number | boolean | null | undefined>;

/** "/audit" + {link: "l_1", run: undefined} -> "/api/v1/audit?link=l_1": for downloads and for `curl`. */
export function apiPath(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== "") params.set(key, String(value));
  const tail = params.toString();
  return `${API}${path}${tail ? `?${tail}` : ""}`;
}

function readCookie(name: string): string {
  const entry = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return entry ? decodeURIComponent(entry.slice(name.length + 1)) : "";
}

/** Unsafe calls carry the CSRF token and a key: the same intent sent twice acts once. */
const csrfMiddleware: Middleware = {
  onRequest({ request }) {
    if (request.method === "GET") return;
    dropFirst();
    request.headers.set("X-CSRFToken", readCookie("csrftoken"));
    if (!request.headers.has("Idempotency-Key")) request.headers.set("Idempotency-Key", randomId());
  },
};

/** Requests that the page sends without user activity do not keep a session alive. */
const idle: Middleware = {
  onRequest({ request }) {
    if (isIdle()) request.headers.set("X-Hawser-Idle", "1");
  },
};

export const client = createClient<paths>({ credentials: "same-origin" });
// The last one sees a request as it is sent, so it can be sent again.
client.use(csrfMiddleware, idle, stepUp);

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The data of an answer; a refusal is thrown as `Problem`, silence as one that names the console. */
export async function unwrap<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await call;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw unreachable(cause);
  }
  const { data, error, response } = answer;
  if (!response.ok)
    throw problemFrom(
      response.status,
      error,
      response.headers.get("X-Request-ID"),
      response.headers.get("Retry-After"),
    );
  return data as T;
}

/** Whether the server says that no user is signed in. */
export const isUnauthenticated = (cause: unknown): boolean =>
  cause instanceof Problem && (cause.status === 401 || cause.status === 403);
