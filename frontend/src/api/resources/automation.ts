import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { SLOW_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import type { AutomaticStartRequest, AutomationRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

export const automationQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.automation(link_id),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/links/{link_id}/automation", {
          params: { path: { link_id } },
          signal: withTimeout(signal),
        }),
      ),
    refetchInterval: SLOW_MS,
  });

export const automaticStartQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.automaticStart(link_id),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/links/{link_id}/automation/start", {
          params: { path: { link_id } },
          signal: withTimeout(signal),
        }),
      ),
    refetchInterval: SLOW_MS,
  });

export const useSetAutomation = (link_id: string) =>
  useApiMutation(
    (body: AutomationRequest) =>
      unwrap(
        client.PUT("/api/v1/links/{link_id}/automation", { params: { path: { link_id } }, body }),
      ),
    [queryKeys.automation(link_id)],
  );

export const useSetAutomaticStart = (link_id: string) =>
  useApiMutation(
    (body: AutomaticStartRequest) =>
      unwrap(
        client.PUT("/api/v1/links/{link_id}/automation/start", {
          params: { path: { link_id } },
          body,
        }),
      ),
    [queryKeys.automaticStart(link_id)],
  );

/** Ends the pause behind an automatic relocate. */
export const useAcknowledgeAutomation = (link_id: string) =>
  useApiMutation(
    (comment: string) =>
      unwrap(
        client.POST("/api/v1/links/{link_id}/automation/acknowledge", {
          params: { path: { link_id } },
          body: { comment },
        }),
      ),
    [queryKeys.automation(link_id)],
  );
