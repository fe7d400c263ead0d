/**
 * Failures by value. Every value that makes the mock API fail or wait is listed here.
 *
 * In a path, or as a text in a request's body:
 * - `fail-STATUS`, as in `/links/fail-500` or a new user named `fail-409`: the call is refused with that status.
 * - `slow`, as in `/plans/slow`: the call is never answered; the page stays in its loading state.
 *
 * Plan ids: `p_ready`, `p_refused`, `p_expired`, `p_used`, `p_switchover` (seeds/known-plans.ts).
 * Run ids: `r_waiting`, `r_exception`, `r_failed`, `r_needs_operator` (seeds/known-runs.ts).
 * Passwords at the sign-in: `wrong` (401), `busy` (503), `guess` (429); as the current password: `wrong`.
 *
 * Reasons of a change of a registration: the code of a refusal (registration.ts), such as `node_carries_channel`.
 * `nodes_not_tried` and `node_cleanup_due` are refused until the option that answers them is given,
 * `version_changed` is refused once, and `tls_trial_failed` is `trial_failed` at the TLS mode.
 *
 * For a path without an id, `/mock/reset?answer=PATH:HOW` (repeatable) sets how `GET PATH` answers from then on.
 * PATH has no `/api/v1`; HOW is a status, `slow`, or `empty` (every list in the answer is empty).
 */
import { problem } from "./http";

const REFUSALS: Record<number, [code: string, title: string, detail: string]> = {
  401: ["not_authenticated", "Not signed in", "Sign in first."],
  403: ["forbidden", "Not permitted", "Your role does not permit this."],
  404: ["not_found", "Not found", "There is nothing with this id."],
  409: ["wrong_state", "Wrong state", "The state has changed meanwhile. Read it again."],
  422: ["validation_failed", "Input is not valid", "A field is not valid."],
  429: ["too_many_calls", "Too many calls", "Wait 30 seconds, then try again."],
  500: ["internal_error", "Internal error", "The server failed. Nothing was changed."],
  503: ["console_database_unavailable", "Database unavailable", "Hawser's database is down."],
};

const SENTINEL = /^(?:fail-(\d{3})|slow)$/;

export const refusal = (status: number) => {
  const [code, title, detail] = REFUSALS[status] ?? ["bad_request", "Refused", ""];
  const headers: Record<string, string> =
    status === 429 || status === 503 ? { "Retry-After": "30" } : {};
  return problem(status, code, title, detail, { headers });
};

const never = () => new Promise<Response>(() => undefined);

/** The answer that a word asks for; null where it is no sentinel. */
function answerTo(word: string): Promise<Response> | Response | null {
  const found = SENTINEL.exec(word);
  if (!found) return null;
  return found[1] ? refusal(Number(found[1])) : never();
}

const texts = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(texts)
      : [];

/** What a sentinel in the request asks for; null where there is none. */
export async function sentinelAnswer(request: Request): Promise<Response | null> {
  const words = new URL(request.url).pathname.split("/");
  const body = request.body ? ((await request.clone().json()) as unknown) : null;
  for (const word of [...words, ...texts(body)]) {
    const answer = answerTo(word);
    if (answer) return answer;
  }
  return null;
}

const withoutRows = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    Array.isArray(value) ? [] : key === "next" ? null : value,
  );

/** An answer as `/mock/reset?answer=PATH:HOW` asks for it. */
export async function overridden(how: string, usual: () => Promise<Response>): Promise<Response> {
  if (how === "slow") return never();
  if (how !== "empty") return refusal(Number(how));
  const response = await usual();
  return Response.json(withoutRows(await response.json()), { status: response.status });
}
