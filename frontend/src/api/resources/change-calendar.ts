import { queryOptions } from "@tanstack/react-query";
import { SLOW_MS } from "../polling";
import { queryKeys } from "../query-keys";
import { reading, send } from "../send";
import type { FreezeRequest, WindowRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** All change windows, and the freezes that are not over. */
export const changeCalendarQuery = () =>
  queryOptions({
    queryKey: queryKeys.changeCalendar,
    queryFn: reading("/api/v1/change-calendar", {}),
    refetchInterval: SLOW_MS,
  });

const TOUCHED = [queryKeys.changeCalendar] as const;

export const useCreateWindow = () =>
  useApiMutation(
    (body: WindowRequest) => send("POST", "/api/v1/change-windows", { body }),
    TOUCHED,
  );

export const useCreateFreeze = () =>
  useApiMutation(
    (body: FreezeRequest) => send("POST", "/api/v1/change-freezes", { body }),
    TOUCHED,
  );

export const useDeleteWindow = (window_id: string) =>
  useApiMutation(
    (reason: string) =>
      send("POST", "/api/v1/change-windows/{window_id}/delete", {
        path: { window_id },
        body: { reason },
      }),
    TOUCHED,
  );

export const useDeleteFreeze = (freeze_id: string) =>
  useApiMutation(
    (reason: string) =>
      send("POST", "/api/v1/change-freezes/{freeze_id}/delete", {
        path: { freeze_id },
        body: { reason },
      }),
    TOUCHED,
  );
