import { queryOptions } from "@tanstack/react-query";
import { withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { NetworkDemand, PasteNetworkRequest, ProbeTokenRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** A result that a host sends appears without a reload. */
const RESULTS_MS = 15_000;

export const networkQuery = (link_id: string, demand: NetworkDemand) =>
  queryOptions({
    queryKey: queryKeys.networkVerdict(link_id, demand),
    queryFn: ({ signal }) =>
      send("GET", "/api/v1/links/{link_id}/network", {
        path: { link_id },
        query: demand,
        signal: withTimeout(signal),
      }),
    refetchInterval: RESULTS_MS,
    placeholderData: (previous) => previous,
  });

/** Asks the servers: read when a user asks for it. */
export const networkSqlQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.networkSql(link_id),
    queryFn: ({ signal }) =>
      send("GET", "/api/v1/links/{link_id}/network/sql", { path: { link_id }, signal }),
    enabled: false,
    retry: false,
  });

export const useCreateProbeToken = (link_id: string) =>
  useApiMutation((body: ProbeTokenRequest) =>
    send("POST", "/api/v1/links/{link_id}/network/tokens", { path: { link_id }, body }),
  );

export const usePasteResult = (link_id: string) =>
  useApiMutation(
    (body: PasteNetworkRequest) =>
      send("POST", "/api/v1/links/{link_id}/network/measurements", { path: { link_id }, body }),
    [queryKeys.network(link_id)],
  );
