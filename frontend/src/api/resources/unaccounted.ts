import { queryOptions } from "@tanstack/react-query";
import { SLOW_MS } from "../polling";
import { queryKeys } from "../query-keys";
import { reading, send } from "../send";
import type { SettleSettingsRequest, SettleTransactionsRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** Transactions that are not on both sides, since when all others are, and settings that nodes had. */
export const unaccountedQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.unaccounted(link_id),
    queryFn: reading("/api/v1/links/{link_id}/unaccounted", { path: { link_id } }),
    refetchInterval: SLOW_MS,
  });

const changed = (link_id: string) => [
  queryKeys.unaccounted(link_id),
  queryKeys.links,
  queryKeys.histories,
];

export const useSettleTransactions = (link_id: string) =>
  useApiMutation(
    (body: SettleTransactionsRequest) =>
      send("POST", "/api/v1/links/{link_id}/unaccounted/settle", { path: { link_id }, body }),
    changed(link_id),
  );

export const useSettleSettings = (link_id: string) =>
  useApiMutation(
    (body: SettleSettingsRequest) =>
      send("POST", "/api/v1/links/{link_id}/unaccounted/settle-settings", {
        path: { link_id },
        body,
      }),
    changed(link_id),
  );
