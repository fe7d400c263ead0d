import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import type { ClusterProfile, CompareHostSettingsRequest, DismissAdviceRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** The servers are read again by the call itself once what is stored is a minute old. */
const REFETCH_MS = 60_000;

export const clusterAdviceQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.adviceOn(cluster_id),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/clusters/{cluster_id}/advice", {
          params: { path: { cluster_id } },
          signal: withTimeout(signal),
        }),
      ),
    refetchInterval: REFETCH_MS,
  });

export const linkAdviceQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.adviceOn(link_id),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/links/{link_id}/advice", {
          params: { path: { link_id } },
          signal: withTimeout(signal),
        }),
      ),
    refetchInterval: REFETCH_MS,
  });

/** As stored: authorities, the console's own, and those that nodes showed last. */
export const certificatesQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.certificates(cluster_id),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/clusters/{cluster_id}/certificates", {
          params: { path: { cluster_id } },
          signal: withTimeout(signal),
        }),
      ),
    refetchInterval: REFETCH_MS,
  });

/** The settings of all nodes; without a profile they are compared with the one that fits the cluster. */
export const configurationQuery = (cluster_id: string, profile?: ClusterProfile) =>
  queryOptions({
    queryKey: queryKeys.configuration(cluster_id, profile),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/clusters/{cluster_id}/configuration", {
          params: { path: { cluster_id }, query: profile ? { profile } : {} },
          signal: withTimeout(signal),
        }),
      ),
    refetchInterval: REFETCH_MS,
  });

/** Compares pasted text; the server stores nothing of it. */
export const useCompareHostSettings = (cluster_id: string) =>
  useApiMutation((body: CompareHostSettingsRequest) =>
    unwrap(
      client.POST("/api/v1/clusters/{cluster_id}/host-settings", {
        params: { path: { cluster_id } },
        body,
      }),
    ),
  );

export const useDismissAdvice = () =>
  useApiMutation(
    (body: DismissAdviceRequest) => unwrap(client.POST("/api/v1/advice-dismissals", { body })),
    [queryKeys.advice],
  );

export const useWithdrawDismissal = () =>
  useApiMutation(
    (dismissal_id: string) =>
      unwrap(
        client.DELETE("/api/v1/advice-dismissals/{dismissal_id}", {
          params: { path: { dismissal_id } },
        }),
      ),
    [queryKeys.advice],
  );
