import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import type { ConcurrencyGiven } from "../types";

/** What these delays do to commits. */
export const concurrencyQuery = (given: ConcurrencyGiven) =>
  queryOptions({
    queryKey: queryKeys.concurrency(given),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/concurrency", {
          params: { query: given },
          signal: withTimeout(signal),
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** Asks the servers of a cluster: read when a user asks for it. */
export const clusterConcurrencyQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.clusterConcurrency(cluster_id),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/clusters/{cluster_id}/concurrency", {
          params: { path: { cluster_id } },
          signal,
        }),
      ),
    enabled: false,
    // The page says what it filled in: an answer does not outlive the form.
    gcTime: 0,
    retry: false,
  });
