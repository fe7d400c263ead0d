import { queryOptions } from "@tanstack/react-query";
import type { PagedQuery } from "../pages";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { Orphan } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** What the last scan for orphaned transactions found, with the first page of them. */
export const orphansQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.orphans(link_id),
    queryFn: ({ signal }) =>
      send("GET", "/api/v1/links/{link_id}/orphans", { path: { link_id }, signal }),
    staleTime: 15_000,
  });

/** The orphaned transactions themselves, page by page. */
export const orphanPagesQuery = (link_id: string): PagedQuery<Orphan> => ({
  queryKey: queryKeys.orphanPages(link_id),
  read: (cursor, signal) =>
    send("GET", "/api/v1/links/{link_id}/orphans", {
      path: { link_id },
      query: { cursor },
      signal,
    }),
  staleTime: 15_000,
});

export const useScanOrphans = (link_id: string) =>
  useApiMutation(
    () => send("POST", "/api/v1/links/{link_id}/orphans/scan", { path: { link_id } }),
    [queryKeys.orphans(link_id)],
  );
