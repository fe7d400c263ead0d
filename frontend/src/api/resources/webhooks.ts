import { queryOptions } from "@tanstack/react-query";
import type { PagedQuery } from "../pages";
import { SLOW_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { CreateHookRequest, Delivery, Hook, UpdateHookRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

export const webhooksQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.webhooks(link_id),
    queryFn: ({ signal }) =>
      send("GET", "/api/v1/links/{link_id}/hooks", { path: { link_id }, signal }),
  });

export const deliveriesQuery = (hook_id: string): PagedQuery<Delivery> => ({
  queryKey: queryKeys.deliveries(hook_id),
  read: (cursor, signal) =>
    send("GET", "/api/v1/hooks/{hook_id}/deliveries", {
      path: { hook_id },
      query: { limit: 20, cursor },
      signal: withTimeout(signal),
    }),
  refetchInterval: SLOW_MS,
});

export const useCreateWebhook = (link_id: string) =>
  useApiMutation(
    (body: CreateHookRequest) =>
      send("POST", "/api/v1/links/{link_id}/hooks", { path: { link_id }, body }),
    [queryKeys.webhooks(link_id)],
  );

const onHook = (hook: Hook) => ({ path: { hook_id: hook.id } });
const touchedBy = (hook: Hook) => [queryKeys.webhooks(hook.link_id), queryKeys.deliveries(hook.id)];

export const useUpdateWebhook = (hook: Hook) =>
  useApiMutation(
    (body: UpdateHookRequest) =>
      send("PATCH", "/api/v1/hooks/{hook_id}", { ...onHook(hook), body }),
    touchedBy(hook),
  );

export const useDeleteWebhook = (hook: Hook) =>
  useApiMutation(
    () => send("DELETE", "/api/v1/hooks/{hook_id}", onHook(hook)),
    [queryKeys.webhooks(hook.link_id)],
  );

export const useTestWebhook = (hook: Hook) =>
  useApiMutation(() => send("POST", "/api/v1/hooks/{hook_id}/test", onHook(hook)), touchedBy(hook));
