import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { LIVE_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import type { TransferGiven } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** For how long each node of a cluster may be away, and its donors; read from what the monitor stored. */
export const nodeAbsenceQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.nodeAbsence(cluster_id),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/clusters/{cluster_id}/node-absence", {
          params: { path: { cluster_id } },
          signal: withTimeout(signal),
        }),
      ),
    refetchInterval: LIVE_MS * 5,
  });

/** How long an SST to each node would take, from what is given and what was read. */
export const stateTransferQuery = (cluster_id: string, given: TransferGiven) =>
  queryOptions({
    queryKey: queryKeys.stateTransfer(cluster_id, given),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/clusters/{cluster_id}/state-transfer", {
          params: { path: { cluster_id }, query: given },
          signal: withTimeout(signal),
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** The newest maintenances of a cluster's nodes; at most one of them is open. */
export const nodeMaintenancesQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.nodeMaintenances(cluster_id),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/clusters/{cluster_id}/node-maintenances", {
          params: { path: { cluster_id } },
          signal: withTimeout(signal),
        }),
      ),
    refetchInterval: LIVE_MS,
  });

export const useEndMaintenance = (maintenance_id: string) =>
  useApiMutation(
    (body: { reason: string }) =>
      unwrap(
        client.POST("/api/v1/node-maintenances/{maintenance_id}/end", {
          params: { path: { maintenance_id } },
          body,
        }),
      ),
    [["clusters"]],
  );
