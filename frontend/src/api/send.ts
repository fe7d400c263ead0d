/** Calls by the paths of the server's OpenAPI document: what goes in and what comes out is typed by it. */
import type { paths } from "@/api/generated/schema";
import { client, unwrap } from "./client";
import { withTimeout } from "./polling";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Call<P extends keyof paths, M extends Method> = NonNullable<paths[P][Lowercase<M>]>;
type PathsOf<M extends Method> = {
  [P in keyof paths]: Call<P, M> extends { responses: object } ? P : never;
}[keyof paths];

type Body<C> = C extends { requestBody: { content: { "application/json": infer B } } }
  ? { body: B }
  : C extends { requestBody?: { content: { "application/json": infer B } } }
    ? { body?: B }
    : unknown;
type Params<C> = C extends { parameters: infer P } ? Omit<P, "cookie"> : unknown;
type Options = Pick<RequestInit, "signal" | "keepalive"> & {
  headers?: Record<string, string>;
  fetch?: (request: Request) => Promise<Response>;
};
type Input<C> = Params<C> & Body<C> & Options;

type Success = 200 | 201 | 202 | 203 | 204;
type Json<R> = R extends { content: { "application/json": infer J } } ? J : undefined;
type Output<C> = C extends { responses: infer R } ? Json<R[keyof R & Success]> : never;

/** One call; a refusal is thrown as `Problem`. */
export function send<M extends Method, P extends PathsOf<M>>(
  method: M,
  url: P,
  input: Input<Call<P, M>>,
): Promise<Output<Call<P, M>>> {
  const { path, query, header, ...init } = input as Record<string, unknown>;
  const call = client[method as "POST"] as (url: P, init: object) => Promise<never>;
  return unwrap(call(url, { ...init, params: { path, query, header } }));
}

/** A read for `queryFn`. It is repeated in any case, so it is given up in time. */
export const reading =
  <P extends PathsOf<"GET">>(path: P, input: Input<Call<P, "GET">>) =>
  ({ signal }: { signal: AbortSignal }) =>
    send("GET", path, { ...input, signal: withTimeout(signal) } as typeof input);
