import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../query-keys";
import { reading, send } from "../send";
import type { ClusterProfile, CompareHostSettingsRequest, DismissAdviceRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** The servers are read again by the call itself once what is stored is a minute old. */
const REFETCH_MS = 60_000;

export const clusterAdviceQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.adviceOn(cluster_id),
    queryFn: reading("/api/v1/clusters/{cluster_id}/advice", { path: { cluster_id } }),
    refetchInterval: REFETCH_MS,
  });

export const linkAdviceQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.adviceOn(link_id),
    queryFn: reading("/api/v1/links/{link_id}/advice", { path: { link_id } }),
    refetchInterval: REFETCH_MS,
  });

/** As stored: authorities, the console's own, and those that nodes showed last. */
export const certificatesQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.certificates(cluster_id),
    queryFn: reading("/api/v1/clusters/{cluster_id}/certificates", { path: { cluster_id } }),
    refetchInterval: REFETCH_MS,
  });

/** The settings of all nodes; without a profile they are compared with the one that fits the cluster. */
export const configurationQuery = (cluster_id: string, profile?: ClusterProfile) =>
  queryOptions({
    queryKey: queryKeys.configuration(cluster_id, profile),
    queryFn: reading("/api/v1/clusters/{cluster_id}/configuration", {
      path: { cluster_id },
      query: profile ? { profile } : {},
    }),
    refetchInterval: REFETCH_MS,
  });

/** Compares pasted text; the server stores nothing of it. */
export const useCompareHostSettings = (cluster_id: string) =>
  useApiMutation((body: CompareHostSettingsRequest) =>
    send("POST", "/api/v1/clusters/{cluster_id}/host-settings", { path: { cluster_id }, body }),
  );

export const useDismissAdvice = () =>
  useApiMutation(
    (body: DismissAdviceRequest) => send("POST", "/api/v1/advice-dismissals", { body }),
    [queryKeys.advice],
  );

export const useWithdrawDismissal = () =>
  useApiMutation(
    (dismissal_id: string) =>
      send("DELETE", "/api/v1/advice-dismissals/{dismissal_id}", { path: { dismissal_id } }),
    [queryKeys.advice],
  );
