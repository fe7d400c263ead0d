import { queryOptions } from "@tanstack/react-query";
import type { PagedQuery } from "../pages";
import { SLOW_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { Rehearsal, RehearsalRequest, ScheduleRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

export const rehearsalsQuery = (link_id: string): PagedQuery<Rehearsal> => ({
  queryKey: queryKeys.rehearsals(link_id),
  read: (cursor, signal) =>
    send("GET", "/api/v1/links/{link_id}/rehearsals", {
      path: { link_id },
      query: { limit: 100, cursor },
      signal: withTimeout(signal),
    }),
  refetchInterval: SLOW_MS * 2,
});

export const rehearsalScheduleQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.rehearsalSchedule(link_id),
    queryFn: ({ signal }) =>
      send("GET", "/api/v1/links/{link_id}/rehearsal-schedule", { path: { link_id }, signal }),
  });

export const useRehearse = (link_id: string) =>
  useApiMutation(
    (body: RehearsalRequest) =>
      send("POST", "/api/v1/links/{link_id}/rehearsals", { path: { link_id }, body }),
    [queryKeys.rehearsals(link_id), queryKeys.links],
  );

export const useSetRehearsalSchedule = (link_id: string) =>
  useApiMutation(
    (body: ScheduleRequest) =>
      send("PUT", "/api/v1/links/{link_id}/rehearsal-schedule", { path: { link_id }, body }),
    [queryKeys.rehearsalSchedule(link_id)],
  );
