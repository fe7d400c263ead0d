import { queryOptions } from "@tanstack/react-query";
import { serverNow } from "@/lib/server-clock";
import { SLOW_MS } from "../polling";
import { queryKeys } from "../query-keys";
import { reading } from "../send";
import type { LagSpan } from "../types";

const MINUTE_MS = 60_000;

const timeOf = (span: LagSpan) =>
  "minutes" in span
    ? { from: new Date(serverNow() - span.minutes * MINUTE_MS).toISOString() }
    : span;

/** When each direction of a link was proven, in the time that the lag shows. A time that has passed is read once. */
export const proofQuery = (link_id: string, span: LagSpan) =>
  queryOptions({
    queryKey: queryKeys.proof(link_id, span),
    queryFn: (context) =>
      reading("/api/v1/links/{link_id}/proof", { path: { link_id }, query: timeOf(span) })(context),
    refetchInterval: "to" in span ? false : SLOW_MS,
  });
