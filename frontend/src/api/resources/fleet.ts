import { queryOptions } from "@tanstack/react-query";
import { runLimited } from "@/lib/run-limited";
import { client, unwrap } from "../client";
import { answeredBy, takeFirst } from "../first-requests";
import { ifMatch } from "../if-match";
import { LIVE_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import type { LinkRow, PauseLinkRequest, ReasonOnly, RehearsedKind } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** All links as rows: what lists, menus and the tab's title need of them. */
export const fleetQuery = () =>
  queryOptions({
    queryKey: queryKeys.fleet,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/fleet", {
          signal: withTimeout(signal),
          ...answeredBy(takeFirst("/api/v1/fleet")),
        }),
      ),
    refetchInterval: LIVE_MS,
  });

export const rehearseLink = (link: LinkRow, kind: RehearsedKind) =>
  unwrap(
    client.POST("/api/v1/links/{link_id}/rehearsals", {
      params: { path: { link_id: link.id } },
      body: { kind },
    }),
  );

const pathOf = (link: LinkRow) => ({ path: { link_id: link.id }, header: ifMatch(link.version) });

export const pauseLink = (link: LinkRow, body: PauseLinkRequest) =>
  unwrap(client.PUT("/api/v1/links/{link_id}/pause", { params: pathOf(link), body }));

export const resumeLink = (link: LinkRow, query: ReasonOnly) =>
  unwrap(client.DELETE("/api/v1/links/{link_id}/pause", { params: { ...pathOf(link), query } }));

export interface LinksTask {
  links: readonly LinkRow[];
  /** How many of them at the same time. */
  atOnce: number;
  task: (link: LinkRow) => Promise<void>;
  /** Aborted, it starts no further one. */
  signal: AbortSignal;
}

/** A task on many links. What it changed is read again once, at its end. */
export const useForEachLink = () =>
  useApiMutation(
    ({ links, atOnce, task, signal }: LinksTask) => runLimited(links, atOnce, task, signal),
    [queryKeys.links, queryKeys.allRehearsals],
  );
