import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import type { PagedQuery } from "../pages";
import { SLOW_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import type { Rehearsal, RehearsalRequest, ScheduleRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

export const rehearsalsQuery = (link_id: string): PagedQuery<Rehearsal> => ({
  queryKey: queryKeys.rehearsals(link_id),
  read: (cursor, signal) =>
    unwrap(
      client.GET("/api/v1/links/{link_id}/rehearsals", {
        params: { path: { link_id }, query: { limit: 100, cursor } },
        signal: withTimeout(signal),
      }),
    ),
  refetchInterval: SLOW_MS * 2,
});

export const rehearsalScheduleQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.rehearsalSchedule(link_id),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/links/{link_id}/rehearsal-schedule", {
          params: { path: { link_id } },
          signal,
        }),
      ),
  });

export const useRehearse = (link_id: string) =>
  useApiMutation(
    (body: RehearsalRequest) =>
      unwrap(
        client.POST("/api/v1/links/{link_id}/rehearsals", { params: { path: { link_id } }, body }),
      ),
    [queryKeys.rehearsals(link_id), queryKeys.links],
  );

export const useSetRehearsalSchedule = (link_id: string) =>
  useApiMutation(
    (body: ScheduleRequest) =>
      unwrap(
        client.PUT("/api/v1/links/{link_id}/rehearsal-schedule", {
          params: { path: { link_id } },
          body,
        }),
      ),
    [queryKeys.rehearsalSchedule(link_id)],
  );
