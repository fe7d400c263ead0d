import { queryOptions } from "@tanstack/react-query";
import { ifMatch, type Versioned } from "../if-match";
import { LIVE_MS } from "../polling";
import { queryKeys, REGISTRATION_KEYS } from "../query-keys";
import { reading, send } from "../send";
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
    queryFn: reading("/api/v1/links", {}),
    refetchInterval: LIVE_MS,
  });

/** Read when a user asks for them: they no longer change. */
export const retiredLinksQuery = (enabled: boolean) =>
  queryOptions({
    queryKey: queryKeys.retiredLinks,
    queryFn: reading("/api/v1/links", { query: { retired: true } }),
    enabled,
  });

export const linkQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.link(link_id),
    queryFn: reading("/api/v1/links/{link_id}", { path: { link_id } }),
    refetchInterval: LIVE_MS,
  });

/** Read once, and when the user asks: each reading asks both sides and is recorded. */
export const channelErrorQuery = (link_id: string, direction: Direction) =>
  queryOptions({
    queryKey: queryKeys.channelError(link_id, direction),
    queryFn: ({ signal }) =>
      send("GET", "/api/v1/links/{link_id}/channel-error", {
        path: { link_id },
        query: { direction },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export const useCreateLink = () =>
  useApiMutation(
    (body: CreateLinkRequest) => send("POST", "/api/v1/links", { body }),
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
      send("PATCH", "/api/v1/links/{link_id}", { ...onLink(link_id, version), body }),
    REGISTRATION_KEYS,
  );

/** Begins the maintenance of a link, or changes its end. */
export const usePauseLink = (link_id: string) =>
  useApiMutation(
    ({ version, body }: Versioned<PauseLinkRequest>) =>
      send("PUT", "/api/v1/links/{link_id}/pause", { ...onLink(link_id, version), body }),
    REGISTRATION_KEYS,
  );

export const useResumeLink = (link_id: string) =>
  useApiMutation(
    ({ version, body }: Versioned<ReasonOnly>) =>
      send("DELETE", "/api/v1/links/{link_id}/pause", { ...onLink(link_id, version), query: body }),
    REGISTRATION_KEYS,
  );

export const useSwapLinkNames = (link_id: string) =>
  useApiMutation(
    ({ version, body }: Versioned<SwapLinkNamesRequest>) =>
      send("POST", "/api/v1/links/{link_id}/swap-names", { ...onLink(link_id, version), body }),
    REGISTRATION_KEYS,
  );

/** Takes effect later where runs on the link need an approval. */
export const useRetireLink = (link_id: string) =>
  useApiMutation(
    ({ version, body }: Versioned<ReasonOnly>) =>
      send("DELETE", "/api/v1/links/{link_id}", { ...onLink(link_id, version), query: body }),
    REGISTRATION_KEYS,
  );
