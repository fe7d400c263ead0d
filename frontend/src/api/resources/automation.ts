import { queryOptions } from "@tanstack/react-query";
import { SLOW_MS } from "../polling";
import { queryKeys } from "../query-keys";
import { reading, send } from "../send";
import type { AutomaticStartRequest, AutomationRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

export const automationQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.automation(link_id),
    queryFn: reading("/api/v1/links/{link_id}/automation", { path: { link_id } }),
    refetchInterval: SLOW_MS,
  });

export const automaticStartQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.automaticStart(link_id),
    queryFn: reading("/api/v1/links/{link_id}/automation/start", { path: { link_id } }),
    refetchInterval: SLOW_MS,
  });

export const useSetAutomation = (link_id: string) =>
  useApiMutation(
    (body: AutomationRequest) =>
      send("PUT", "/api/v1/links/{link_id}/automation", { path: { link_id }, body }),
    [queryKeys.automation(link_id)],
  );

export const useSetAutomaticStart = (link_id: string) =>
  useApiMutation(
    (body: AutomaticStartRequest) =>
      send("PUT", "/api/v1/links/{link_id}/automation/start", { path: { link_id }, body }),
    [queryKeys.automaticStart(link_id)],
  );

/** Ends the pause behind an automatic relocate. */
export const useAcknowledgeAutomation = (link_id: string) =>
  useApiMutation(
    (comment: string) =>
      send("POST", "/api/v1/links/{link_id}/automation/acknowledge", {
        path: { link_id },
        body: { comment },
      }),
    [queryKeys.automation(link_id)],
  );
