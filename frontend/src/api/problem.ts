import type { FieldError } from "./types";

/** A refusal of the server in its own words (RFC 9457), with the id to search the logs by. */
export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    readonly status: number,
    readonly code: string,
    readonly title: string,
    readonly detail: string,
    readonly requestId: string | null,
    readonly errors: FieldError[],
    readonly body: Record<string, unknown>,
    /** After how many seconds the server asks to try again; null where it does not say. */
    readonly retryAfterS: number | null = null,
  ) {
    super(detail || title);
  }

  /** The server's word about one field, or undefined. */
  field(name: string): string | undefined {
    return this.errors.find((error) => error.field === name)?.message;
  }
}

const text = (value: unknown, fallback: string): string =>
  typeof value === "string" && value ? value : fallback;

function fieldErrors(value: unknown): FieldError[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: Record<string, unknown>) => ({
    field: text(entry.field ?? entry.attr, ""),
    message: text(entry.message ?? entry.detail, "not accepted"),
  }));
}

/** Retry-After in seconds; a date, or no header, is unknown. */
function seconds(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header.trim()) ? Number(header) : null;
}

/** The problem of a response; a body that is no problem document becomes a sentence, too. */
export function problemFrom(
  status: number,
  body: unknown,
  requestId: string | null,
  retryAfter: string | null = null,
): Problem {
  const doc = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  return new Problem(
    status,
    text(doc.code, `http_${status}`),
    text(doc.title, `The server responded with HTTP ${status}`),
    text(doc.detail, ""),
    text(doc.request_id, "") || requestId,
    fieldErrors(doc.errors),
    doc,
    seconds(retryAfter),
  );
}

/** No answer at all: the console, not the clusters, could not be reached. */
export function unreachable(cause: unknown): Problem {
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new Problem(0, "console_unreachable", "Hawser is not responding", detail, null, [], {});
}
