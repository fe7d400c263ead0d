import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { SLOW_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import type { SettleTransactionsRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** Transactions that are not on both sides, and since when all others are. */
export const unaccountedQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.unaccounted(link_id),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/links/{link_id}/unaccounted", {
          params: { path: { link_id } },
          signal: withTimeout(signal),
        }),
      ),
    refetchInterval: SLOW_MS,
  });

export const useSettleTransactions = (link_id: string) =>
  useApiMutation(
    (body: SettleTransactionsRequest) =>
      unwrap(
        client.POST("/api/v1/links/{link_id}/unaccounted/settle", {
          params: { path: { link_id } },
          body,
        }),
      ),
    [queryKeys.unaccounted(link_id), queryKeys.links, queryKeys.histories],
  );
