import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { ONCE } from "../polling";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { LookupCriteria, LookupPosition } from "../types";

/** The transactions that meet the criteria, searched further with each page. */
export const lookupQuery = (link_id: string, criteria: LookupCriteria) =>
  infiniteQueryOptions({
    queryKey: queryKeys.lookup(link_id, criteria),
    queryFn: ({ signal, pageParam }) =>
      send("GET", "/api/v1/links/{link_id}/lookup", {
        path: { link_id },
        query: { ...criteria, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    ...ONCE,
  });

/** The rows of a transaction: read when a user asks for them. */
export const lookupRowsQuery = (link_id: string, location: LookupPosition) =>
  queryOptions({
    queryKey: queryKeys.lookupRows(link_id, location),
    queryFn: ({ signal }) =>
      send("GET", "/api/v1/links/{link_id}/lookup/rows", {
        path: { link_id },
        query: location,
        signal,
      }),
    gcTime: 0,
    ...ONCE,
  });
