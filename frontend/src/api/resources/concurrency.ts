import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../query-keys";
import { reading, send } from "../send";
import type { ConcurrencyGiven } from "../types";

/** What these delays do to commits. */
export const concurrencyQuery = (given: ConcurrencyGiven) =>
  queryOptions({
    queryKey: queryKeys.concurrency(given),
    queryFn: reading("/api/v1/concurrency", { query: given }),
    placeholderData: keepPreviousData,
  });

/** Asks the servers of a cluster: read when a user asks for it. */
export const clusterConcurrencyQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.clusterConcurrency(cluster_id),
    queryFn: ({ signal }) =>
      send("GET", "/api/v1/clusters/{cluster_id}/concurrency", { path: { cluster_id }, signal }),
    enabled: false,
    // The page says what it filled in: an answer does not outlive the form.
    gcTime: 0,
    retry: false,
  });
