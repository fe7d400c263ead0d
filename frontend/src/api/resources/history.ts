import { queryOptions } from "@tanstack/react-query";
import type { PagedQuery } from "../pages";
import { SLOW_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { HistoryFilter, Switch, TimelineEntry, TimelineKind } from "../types";

export const switchesQuery = (filter: HistoryFilter): PagedQuery<Switch> => ({
  queryKey: queryKeys.switchList(filter),
  read: (cursor, signal) =>
    send("GET", "/api/v1/history", { query: { ...filter, cursor }, signal }),
});

export const switchQuery = (run_id: string) =>
  queryOptions({
    queryKey: queryKeys.switch(run_id),
    queryFn: ({ signal }) => send("GET", "/api/v1/history/{run_id}", { path: { run_id }, signal }),
  });

/** The time line of a link, from an entry on if one is named. */
export const timelineQuery = (
  link_id: string,
  kind: TimelineKind | undefined,
  entry: string | undefined,
): PagedQuery<TimelineEntry> => ({
  queryKey: queryKeys.timeline(link_id, kind ?? "", entry),
  read: (cursor, signal) =>
    send("GET", "/api/v1/links/{link_id}/timeline", {
      path: { link_id },
      query: { kinds: kind, entry: cursor ? undefined : entry, cursor, limit: 12 },
      signal: withTimeout(signal),
    }),
  refetchInterval: SLOW_MS,
});
