import { queryOptions } from "@tanstack/react-query";
import { runLimited } from "@/lib/run-limited";
import { answeredBy, takeFirst } from "../first-requests";
import { ifMatch } from "../if-match";
import { LIVE_MS } from "../polling";
import { queryKeys } from "../query-keys";
import { reading, send } from "../send";
import type { LinkRow, PauseLinkRequest, ReasonOnly, RehearsedKind } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** All links as rows: what lists, menus and the tab's title need of them. */
export const fleetQuery = () =>
  queryOptions({
    queryKey: queryKeys.fleet,
    queryFn: reading("/api/v1/fleet", { ...answeredBy(takeFirst("/api/v1/fleet")) }),
    refetchInterval: LIVE_MS,
  });

export const rehearseLink = (link: LinkRow, kind: RehearsedKind) =>
  send("POST", "/api/v1/links/{link_id}/rehearsals", {
    path: { link_id: link.id },
    body: { kind },
  });

const pathOf = (link: LinkRow) => ({ path: { link_id: link.id }, header: ifMatch(link.version) });

export const pauseLink = (link: LinkRow, body: PauseLinkRequest) =>
  send("PUT", "/api/v1/links/{link_id}/pause", { ...pathOf(link), body });

export const resumeLink = (link: LinkRow, query: ReasonOnly) =>
  send("DELETE", "/api/v1/links/{link_id}/pause", { ...pathOf(link), query });

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
