/** How the API from memory answers. */
import { HttpResponse } from "msw";

export const at = (path: string) => `*/api/v1${path}`;
export const page = (results: readonly object[]) => HttpResponse.json({ results, next: null });
export const nothing = () => new HttpResponse(null, { status: 204 });

interface More {
  errors?: object[];
  headers?: Record<string, string>;
}

export const problem = (
  status: number,
  code: string,
  title: string,
  detail: string,
  { errors = [], headers = {} }: More = {},
) =>
  HttpResponse.json(
    {
      type: `about:blank#${code}`,
      title,
      status,
      detail,
      code,
      errors,
      request_id: "9c1d77aa",
    },
    { status, headers: { "Content-Type": "application/problem+json", ...headers } },
  );
