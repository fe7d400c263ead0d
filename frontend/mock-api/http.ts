/** Handlers typed from the API's schema: a field that the schema does not know, or lacks, does not compile. */
import { HttpResponse } from "msw";
import { createOpenApiHttp } from "openapi-msw";
import type { paths } from "@/api/generated/schema";
import type { FieldError, ProblemDocument } from "@/api/types";

export const http = createOpenApiHttp<paths>({ baseUrl: "*" });

/** The page size of the mock: small, so that a few seeds make a second page. */
const PAGE_SIZE = 20;

/** One page of a list; the cursor is the number of rows before it. */
export function paged<T>(rows: readonly T[], request: { url: string }) {
  const from = Number(new URL(request.url).searchParams.get("cursor") ?? 0);
  const to = from + PAGE_SIZE;
  return { results: rows.slice(from, to), next: to < rows.length ? String(to) : null };
}

interface More {
  errors?: FieldError[];
  headers?: Record<string, string>;
  /** Further members of the document, such as the run that is in the way. */
  extra?: Record<string, string | string[]>;
}

/** A refusal as the server makes it (RFC 9457). */
export const problem = (
  status: number,
  code: string,
  title: string,
  detail = "",
  { errors = [], headers = {}, extra = {} }: More = {},
) =>
  HttpResponse.json<ProblemDocument>(
    {
      type: `about:blank#${code}`,
      title,
      status,
      detail,
      code,
      errors,
      request_id: "9c1d77aa",
      ...extra,
    },
    { status, headers: { "Content-Type": "application/problem+json", ...headers } },
  );

export const notFound = (noun: string) =>
  problem(404, "not_found", "Not found", `There is no ${noun} with this id.`);
