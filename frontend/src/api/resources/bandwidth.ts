import { queryOptions } from "@tanstack/react-query";
import { LIVE_MS } from "../polling";
import { queryKeys } from "../query-keys";
import { reading, send } from "../send";
import { useApiMutation } from "../use-api-mutation";

/** Segments of a cluster and the bytes between its nodes; read from what the monitor stored. */
export const bandwidthQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.bandwidth(cluster_id),
    queryFn: reading("/api/v1/clusters/{cluster_id}/bandwidth", { path: { cluster_id } }),
    refetchInterval: LIVE_MS * 30,
  });

/** The capacity of the line; null removes it. */
export const useSetLineCapacity = (cluster_id: string) =>
  useApiMutation(
    (mbit_per_s: number | null) =>
      send("PUT", "/api/v1/clusters/{cluster_id}/bandwidth/capacity", {
        path: { cluster_id },
        body: { mbit_per_s },
      }),
    [queryKeys.bandwidth(cluster_id)],
  );
