import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { ifMatch, type Versioned } from "../if-match";
import { LIVE_MS, withTimeout } from "../polling";
import { queryKeys, REGISTRATION_KEYS } from "../query-keys";
import type {
  CreateLinkRequest,
  Direction,
  PauseLinkRequest,
  ReasonOnly,
  SwapLinkNamesRequest,
  UpdateLinkRequest,
} from "../types";
import { useApiMutation } from "../use-api-mutation";

export const linksQuery = () =>
  queryOptions({
    queryKey: queryKeys.linkList,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/links", { signal: withTimeout(signal) })),
    refetchInterval: LIVE_MS,
  });

/** Read when a user asks for them: they no longer change. */
export const retiredLinksQuery = (enabled: boolean) =>
  queryOptions({
    queryKey: queryKeys.retiredLinks,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/links", {
          params: { query: { retired: true } },
          signal: withTimeout(signal),
        }),
      ),
    enabled,
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

const onLink = (link_id: string, version: number) => ({
  path: { link_id },
  header: ifMatch(version),
});

/** Name, home side and approval rule. Switching the rule off takes effect later. */
export const useUpdateLink = (link_id: string) =>
  useApiMutation(
    ({ version, body }: Versioned<UpdateLinkRequest>) =>
      unwrap(client.PATCH("/api/v1/links/{link_id}", { params: onLink(link_id, version), body })),
    REGISTRATION_KEYS,
  );

/** Begins the maintenance of a link, or changes its end. */
export const usePauseLink = (link_id: string) =>
  useApiMutation(
    ({ version, body }: Versioned<PauseLinkRequest>) =>
      unwrap(
        client.PUT("/api/v1/links/{link_id}/pause", { params: onLink(link_id, version), body }),
      ),
    REGISTRATION_KEYS,
  );

export const useResumeLink = (link_id: string) =>
  useApiMutation(
    ({ version, body }: Versioned<ReasonOnly>) =>
      unwrap(
        client.DELETE("/api/v1/links/{link_id}/pause", {
          params: { ...onLink(link_id, version), query: body },
        }),
      ),
    REGISTRATION_KEYS,
  );

export const useSwapLinkNames = (link_id: string) =>
  useApiMutation(
    ({ version, body }: Versioned<SwapLinkNamesRequest>) =>
      unwrap(
        client.POST("/api/v1/links/{link_id}/swap-names", {
          params: onLink(link_id, version),
          body,
        }),
      ),
    REGISTRATION_KEYS,
  );

/** Takes effect later where runs on the link need an approval. */
export const useRetireLink = (link_id: string) =>
  useApiMutation(
    ({ version, body }: Versioned<ReasonOnly>) =>
      unwrap(
        client.DELETE("/api/v1/links/{link_id}", {
          params: { ...onLink(link_id, version), query: body },
        }),
      ),
    REGISTRATION_KEYS,
  );
