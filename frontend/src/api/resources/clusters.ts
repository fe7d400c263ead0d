import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { LIVE_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import type { CreateClusterRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

export const clustersQuery = () =>
  queryOptions({
    queryKey: queryKeys.clusters,
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/clusters", { signal: withTimeout(signal) })),
    refetchInterval: LIVE_MS * 2,
  });

/** The binlog position of a transaction on one node. */
export const xidPositionQuery = (node_id: string, xid: number) =>
  queryOptions({
    queryKey: queryKeys.xidPosition(node_id, xid),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/nodes/{node_id}/locate", {
          params: { path: { node_id }, query: { xid } },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useCreateCluster = () =>
  useApiMutation(
    (body: CreateClusterRequest) => unwrap(client.POST("/api/v1/clusters", { body })),
    [queryKeys.clusters],
  );

export const useCheckCluster = () =>
  useApiMutation((cluster_id: string) =>
    unwrap(
      client.POST("/api/v1/clusters/{cluster_id}/check", { params: { path: { cluster_id } } }),
    ),
  );
