import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { LIVE_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import { useApiMutation } from "../use-api-mutation";

/** Segments of a cluster and the bytes between its nodes; read from what the monitor stored. */
export const bandwidthQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.bandwidth(cluster_id),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/clusters/{cluster_id}/bandwidth", {
          params: { path: { cluster_id } },
          signal: withTimeout(signal),
        }),
      ),
    refetchInterval: LIVE_MS * 30,
  });

/** The capacity of the line; null removes it. */
export const useSetLineCapacity = (cluster_id: string) =>
  useApiMutation(
    (mbit_per_s: number | null) =>
      unwrap(
        client.PUT("/api/v1/clusters/{cluster_id}/bandwidth/capacity", {
          params: { path: { cluster_id } },
          body: { mbit_per_s },
        }),
      ),
    [queryKeys.bandwidth(cluster_id)],
  );
