/** The lag of a link over time. A repeated read asks only for what came since the last one. */
import { queryOptions } from "@tanstack/react-query";
import { SLOW_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import { reading, send } from "../send";
import type { LagCurve, LagSpan } from "../types";

/** What a chart can show at once: about one point for two pixels. */
const POINTS = 600;
/** What the last answer did not have yet: samples are stored a little after their time. */
const OVERLAP_MS = 30_000;
const FASTEST_MS = 2000;
const SLOWEST_MS = 60_000;

const time = (at: string) => Date.parse(at);

/** Where a repeated read begins: at the point that may have been incomplete; null reads all of it. */
export function continuedFrom(before: LagCurve | undefined): number | null {
  const last = before?.points.at(-1);
  if (!before || !last) return null;
  const step = before.resolution_s * 1000;
  const from = Math.floor((time(last.at) - OVERLAP_MS) / step) * step;
  const length = time(before.to) - time(before.from);
  return time(before.to) - from < length / 2 ? from : null;
}

/** A curve with what came since: its own points and events up to `from`, the new ones from there on. */
export function continued(before: LagCurve, fresh: LagCurve, from: number): LagCurve {
  const length = time(before.to) - time(before.from);
  const begin = time(fresh.to) - length;
  const isKept = ({ at }: { at: string }) => time(at) >= begin && time(at) < from;
  const isFirstKept = ({ at }: { at: string }) =>
    time(at) + before.resolution_s * 1000 > begin && time(at) < from;
  return {
    ...fresh,
    from: new Date(begin).toISOString(),
    points: [...before.points.filter(isFirstKept), ...fresh.points],
    events: [...before.events.filter(isKept), ...fresh.events],
    events_left_out: before.events_left_out,
  };
}

/** How long until the next read: half of what a point covers. A time that has passed is read once. */
function interval(curve: LagCurve | undefined, span: LagSpan): number | false {
  if ("to" in span) return false;
  const half = (curve?.resolution_s ?? 1) * 500;
  return Math.min(SLOWEST_MS, Math.max(FASTEST_MS, half));
}

export const lagQuery = (link_id: string, span: LagSpan) =>
  queryOptions({
    queryKey: queryKeys.lagCurve(link_id, span),
    queryFn: async ({ signal, client: cache, queryKey }): Promise<LagCurve> => {
      const before = cache.getQueryData<LagCurve>(queryKey);
      const from = "to" in span ? null : continuedFrom(before);
      const read = (query: object) =>
        send("GET", "/api/v1/links/{link_id}/lag", {
          path: { link_id },
          query,
          signal: withTimeout(signal),
        });
      if (!before || from === null) return read({ ...span, points: POINTS });
      const rest = { from: new Date(from).toISOString(), resolution: before.resolution_s };
      return continued(before, await read(rest), from);
    },
    // The old range stays on screen until the new one is there, but never another link's.
    placeholderData: (before, query) => (query?.queryKey[1] === link_id ? before : undefined),
    refetchInterval: (query) => interval(query.state.data, span),
  });

/** Whether the replicas of a link keep up; rates are of an hour, so a slow repeat is enough. */
export const applyCapacityQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.applyCapacity(link_id),
    queryFn: reading("/api/v1/links/{link_id}/apply-capacity", { path: { link_id } }),
    refetchInterval: SLOW_MS,
  });
