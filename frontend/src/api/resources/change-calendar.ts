import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { SLOW_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import type { FreezeRequest, WindowRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** All change windows, and the freezes that are not over. */
export const changeCalendarQuery = () =>
  queryOptions({
    queryKey: queryKeys.changeCalendar,
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/change-calendar", { signal: withTimeout(signal) })),
    refetchInterval: SLOW_MS,
  });

const TOUCHED = [queryKeys.changeCalendar] as const;

export const useCreateWindow = () =>
  useApiMutation(
    (body: WindowRequest) => unwrap(client.POST("/api/v1/change-windows", { body })),
    TOUCHED,
  );

export const useCreateFreeze = () =>
  useApiMutation(
    (body: FreezeRequest) => unwrap(client.POST("/api/v1/change-freezes", { body })),
    TOUCHED,
  );

export const useDeleteWindow = (window_id: string) =>
  useApiMutation(
    (reason: string) =>
      unwrap(
        client.POST("/api/v1/change-windows/{window_id}/delete", {
          params: { path: { window_id } },
          body: { reason },
        }),
      ),
    TOUCHED,
  );

export const useDeleteFreeze = (freeze_id: string) =>
  useApiMutation(
    (reason: string) =>
      unwrap(
        client.POST("/api/v1/change-freezes/{freeze_id}/delete", {
          params: { path: { freeze_id } },
          body: { reason },
        }),
      ),
    TOUCHED,
  );
