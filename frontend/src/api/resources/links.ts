import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { LIVE_MS, SLOW_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import type { CreateLinkRequest, Direction } from "../types";
import { useApiMutation } from "../use-api-mutation";

export const linksQuery = () =>
  queryOptions({
    queryKey: queryKeys.links,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/links", { signal: withTimeout(signal) })),
    refetchInterval: LIVE_MS,
  });

export const linkQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.link(link_id),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/links/{link_id}", {
          params: { path: { link_id } },
          signal: withTimeout(signal),
        }),
      ),
    refetchInterval: LIVE_MS,
  });

export const lagQuery = (link_id: string, minutes: number) =>
  queryOptions({
    queryKey: queryKeys.lag(link_id, minutes),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/links/{link_id}/lag", {
          params: { path: { link_id }, query: { minutes } },
          signal: withTimeout(signal),
        }),
      ),
    refetchInterval: minutes <= 60 ? 5000 : 60_000,
  });

export const historyQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.history(link_id),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/links/{link_id}/history", {
          params: { path: { link_id } },
          signal: withTimeout(signal),
        }),
      ),
    refetchInterval: SLOW_MS,
  });

/** Read once, and when the user asks: each reading asks both sides and is recorded. */
export const channelErrorQuery = (link_id: string, direction: Direction) =>
  queryOptions({
    queryKey: queryKeys.channelError(link_id, direction),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/links/{link_id}/channel-error", {
          params: { path: { link_id }, query: { direction } },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export const useCreateLink = () =>
  useApiMutation(
    (body: CreateLinkRequest) => unwrap(client.POST("/api/v1/links", { body })),
    [queryKeys.links],
  );

/** Whether runs on the link need an approval. Switching it off takes effect later. */
export const useSetApprovalRule = (link_id: string) =>
  useApiMutation(
    (requires_approval: boolean) =>
      unwrap(
        client.PATCH("/api/v1/links/{link_id}", {
          params: { path: { link_id } },
          body: { requires_approval },
        }),
      ),
    [queryKeys.links, queryKeys.pendingApprovals],
  );
