import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../query-keys";
import { reading, send } from "../send";
import type { CalibrationRequest, HeartbeatRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

export const calibrationsQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.calibrations(cluster_id),
    queryFn: reading("/api/v1/clusters/{cluster_id}/calibrations", { path: { cluster_id } }),
  });

/** Answers when it has ended: after up to ten seconds of writing. */
export const useCalibrate = (cluster_id: string) =>
  useApiMutation(
    (body: CalibrationRequest) =>
      send("POST", "/api/v1/clusters/{cluster_id}/calibrations", { path: { cluster_id }, body }),
    [queryKeys.calibrations(cluster_id)],
  );

export const heartbeatQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.heartbeat(link_id),
    queryFn: reading("/api/v1/links/{link_id}/network/heartbeat", { path: { link_id } }),
  });

export const useMeasureHeartbeat = (link_id: string) =>
  useApiMutation(
    (body: HeartbeatRequest) =>
      send("POST", "/api/v1/links/{link_id}/network/heartbeat", { path: { link_id }, body }),
    [queryKeys.heartbeat(link_id)],
  );
