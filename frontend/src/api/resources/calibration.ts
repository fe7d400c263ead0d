import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import type { CalibrationRequest, HeartbeatRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

export const calibrationsQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.calibrations(cluster_id),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/clusters/{cluster_id}/calibrations", {
          params: { path: { cluster_id } },
          signal: withTimeout(signal),
        }),
      ),
  });

/** Answers when it has ended: after up to ten seconds of writing. */
export const useCalibrate = (cluster_id: string) =>
  useApiMutation(
    (body: CalibrationRequest) =>
      unwrap(
        client.POST("/api/v1/clusters/{cluster_id}/calibrations", {
          params: { path: { cluster_id } },
          body,
        }),
      ),
    [queryKeys.calibrations(cluster_id)],
  );

export const heartbeatQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.heartbeat(link_id),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/links/{link_id}/network/heartbeat", {
          params: { path: { link_id } },
          signal: withTimeout(signal),
        }),
      ),
  });

export const useMeasureHeartbeat = (link_id: string) =>
  useApiMutation(
    (body: HeartbeatRequest) =>
      unwrap(
        client.POST("/api/v1/links/{link_id}/network/heartbeat", {
          params: { path: { link_id } },
          body,
        }),
      ),
    [queryKeys.heartbeat(link_id)],
  );
