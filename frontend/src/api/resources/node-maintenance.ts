import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { LIVE_MS } from "../polling";
import { queryKeys } from "../query-keys";
import { reading, send } from "../send";
import type { TransferGiven } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** For how long each node of a cluster may be away, and its donors; read from what the monitor stored. */
export const nodeAbsenceQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.nodeAbsence(cluster_id),
    queryFn: reading("/api/v1/clusters/{cluster_id}/node-absence", { path: { cluster_id } }),
    refetchInterval: LIVE_MS * 5,
  });

/** How long an SST to each node would take, from what is given and what was read. */
export const stateTransferQuery = (cluster_id: string, given: TransferGiven) =>
  queryOptions({
    queryKey: queryKeys.stateTransfer(cluster_id, given),
    queryFn: reading("/api/v1/clusters/{cluster_id}/state-transfer", {
      path: { cluster_id },
      query: given,
    }),
    placeholderData: keepPreviousData,
  });

/** The newest maintenances of a cluster's nodes; at most one of them is open. */
export const nodeMaintenancesQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.nodeMaintenances(cluster_id),
    queryFn: reading("/api/v1/clusters/{cluster_id}/node-maintenances", { path: { cluster_id } }),
    refetchInterval: LIVE_MS,
  });

export const useEndMaintenance = (maintenance_id: string) =>
  useApiMutation(
    (body: { reason: string }) =>
      send("POST", "/api/v1/node-maintenances/{maintenance_id}/end", {
        path: { maintenance_id },
        body,
      }),
    [["clusters"]],
  );
