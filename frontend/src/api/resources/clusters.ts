import { queryOptions } from "@tanstack/react-query";
import { ifMatch, type Versioned } from "../if-match";
import { LIVE_MS } from "../polling";
import { queryKeys, REGISTRATION_KEYS } from "../query-keys";
import { reading, send } from "../send";
import type {
  AcceptableServer,
  AddNodeRequest,
  CreateClusterRequest,
  ReasonOnly,
  ReplaceAccountRequest,
  UpdateClusterRequest,
} from "../types";
import { useApiMutation } from "../use-api-mutation";

export const clustersQuery = () =>
  queryOptions({
    queryKey: queryKeys.clusters,
    queryFn: reading("/api/v1/clusters", {}),
    refetchInterval: LIVE_MS * 2,
  });

export const clusterQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.cluster(cluster_id),
    queryFn: reading("/api/v1/clusters/{cluster_id}", { path: { cluster_id } }),
    refetchInterval: LIVE_MS * 2,
  });

/** The members that the cluster names, compared with the registered nodes. */
export const membershipQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.membership(cluster_id),
    queryFn: reading("/api/v1/clusters/{cluster_id}/membership", { path: { cluster_id } }),
    refetchInterval: LIVE_MS * 2,
  });

/** What is accepted of servers that were never tried. */
export const acceptanceQuery = (cluster_id: string) =>
  queryOptions({
    queryKey: queryKeys.acceptance(cluster_id),
    queryFn: reading("/api/v1/clusters/{cluster_id}/acceptance", { path: { cluster_id } }),
    refetchInterval: LIVE_MS * 2,
  });

export const useCreateCluster = () =>
  useApiMutation(
    (body: CreateClusterRequest) => send("POST", "/api/v1/clusters", { body }),
    [queryKeys.clusters],
  );

export const useCheckCluster = () =>
  useApiMutation((cluster_id: string) =>
    send("POST", "/api/v1/clusters/{cluster_id}/check", { path: { cluster_id } }),
  );

/** The accounts of a cluster, by their privileges. */
export type AccountRole = "monitor" | "operator" | "replication";

const onCluster = (cluster_id: string, version: number) => ({
  path: { cluster_id },
  header: ifMatch(version),
});

/** Name, site, and how to connect, which is tried on every node first. */
export const useUpdateCluster = (cluster_id: string) =>
  useApiMutation(
    ({ version, body }: Versioned<UpdateClusterRequest>) =>
      send("PATCH", "/api/v1/clusters/{cluster_id}", { ...onCluster(cluster_id, version), body }),
    REGISTRATION_KEYS,
  );

/** Tried on every node before it is stored. */
export const useReplaceAccount = (cluster_id: string, role: AccountRole) =>
  useApiMutation(
    ({ version, body }: Versioned<ReplaceAccountRequest>) =>
      send("PUT", "/api/v1/clusters/{cluster_id}/credentials/{role}", {
        path: { cluster_id, role },
        header: ifMatch(version),
        body,
      }),
    REGISTRATION_KEYS,
  );

export const useAddNode = (cluster_id: string) =>
  useApiMutation(
    ({ version, body }: Versioned<AddNodeRequest>) =>
      send("POST", "/api/v1/clusters/{cluster_id}/nodes", {
        ...onCluster(cluster_id, version),
        body,
      }),
    REGISTRATION_KEYS,
  );

/** Registers what responds at the addresses as a new cluster; the old one and its links are retired. */
export const useReplaceCluster = (cluster_id: string, state_uuid: string) =>
  useApiMutation(
    ({ version, body }: Versioned<ReasonOnly>) =>
      send("POST", "/api/v1/clusters/{cluster_id}/replace", {
        ...onCluster(cluster_id, version),
        body: { ...body, state_uuid },
      }),
    REGISTRATION_KEYS,
  );

/** Accepts plans with servers of this family and series, in writing. */
export const useAcceptServer = (cluster_id: string, { flavor, series }: AcceptableServer) =>
  useApiMutation(
    ({ version, body }: Versioned<ReasonOnly & { confirm: string }>) =>
      send("POST", "/api/v1/clusters/{cluster_id}/acceptance", {
        ...onCluster(cluster_id, version),
        body: { ...body, flavor, series },
      }),
    REGISTRATION_KEYS,
  );

export const useWithdrawAcceptance = (cluster_id: string) =>
  useApiMutation(
    ({ version, body }: Versioned<ReasonOnly>) =>
      send("DELETE", "/api/v1/clusters/{cluster_id}/acceptance", {
        ...onCluster(cluster_id, version),
        query: body,
      }),
    REGISTRATION_KEYS,
  );

export const useRetireCluster = (cluster_id: string) =>
  useApiMutation(
    ({ version, body }: Versioned<ReasonOnly>) =>
      send("DELETE", "/api/v1/clusters/{cluster_id}", {
        ...onCluster(cluster_id, version),
        query: body,
      }),
    REGISTRATION_KEYS,
  );
