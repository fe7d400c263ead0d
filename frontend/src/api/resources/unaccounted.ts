import { queryOptions } from "@tanstack/react-query";
import { SLOW_MS } from "../polling";
import { queryKeys } from "../query-keys";
import { reading, send } from "../send";
import type { SettleTransactionsRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** Transactions that are not on both sides, and since when all others are. */
export const unaccountedQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.unaccounted(link_id),
    queryFn: reading("/api/v1/links/{link_id}/unaccounted", { path: { link_id } }),
    refetchInterval: SLOW_MS,
  });

export const useSettleTransactions = (link_id: string) =>
  useApiMutation(
    (body: SettleTransactionsRequest) =>
      send("POST", "/api/v1/links/{link_id}/unaccounted/settle", { path: { link_id }, body }),
    [queryKeys.unaccounted(link_id), queryKeys.links, queryKeys.histories],
  );
