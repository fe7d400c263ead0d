import { queryOptions } from "@tanstack/react-query";
import type { PagedQuery } from "../pages";
import { LIVE_MS, SLOW_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type {
  ConfirmIncidentRequest,
  Incident,
  IncidentBrief,
  OpenIncidentRequest,
  OrderIncidentRequest,
  PlanIncidentRequest,
  TouchedScope,
} from "../types";
import { useApiMutation } from "../use-api-mutation";

export const incidentsQuery = (): PagedQuery<IncidentBrief> => ({
  queryKey: queryKeys.incidents,
  read: (cursor, signal) =>
    send("GET", "/api/v1/incidents", { query: { cursor }, signal: withTimeout(signal) }),
  refetchInterval: SLOW_MS,
});

const isOver = (incident: Incident | undefined) =>
  incident?.state === "ended" || incident?.state === "aborted";

export const incidentQuery = (incident_id: string) =>
  queryOptions({
    queryKey: queryKeys.incident(incident_id),
    queryFn: ({ signal }) =>
      send("GET", "/api/v1/incidents/{incident_id}", {
        path: { incident_id },
        signal: withTimeout(signal),
      }),
    refetchInterval: (query) => (isOver(query.state.data) ? SLOW_MS : LIVE_MS),
  });

export const touchedLinksQuery = (scope: TouchedScope) =>
  queryOptions({
    queryKey: queryKeys.touchedLinks(scope),
    queryFn: ({ signal }) => send("GET", "/api/v1/incidents/touched", { query: scope, signal }),
  });

export const useOpenIncident = () =>
  useApiMutation(
    ({ idempotencyKey, ...body }: OpenIncidentRequest & { idempotencyKey: string }) =>
      send("POST", "/api/v1/incidents", { headers: { "Idempotency-Key": idempotencyKey }, body }),
    [queryKeys.incidents],
  );

const at = (incident_id: string) => ({ path: { incident_id } });
const touchedBy = [queryKeys.incidents, queryKeys.links, queryKeys.pendingApprovals];

export const usePlanIncident = (id: string) =>
  useApiMutation(
    (body: PlanIncidentRequest) =>
      send("POST", "/api/v1/incidents/{incident_id}/plan", { ...at(id), body }),
    touchedBy,
  );

export const useOrderIncident = (id: string) =>
  useApiMutation(
    (body: OrderIncidentRequest) =>
      send("POST", "/api/v1/incidents/{incident_id}/order", { ...at(id), body }),
    touchedBy,
  );

export const useConfirmIncident = (id: string) =>
  useApiMutation(
    (body: ConfirmIncidentRequest) =>
      send("POST", "/api/v1/incidents/{incident_id}/confirm", { ...at(id), body }),
    touchedBy,
  );

export const useApproveIncident = (id: string) =>
  useApiMutation(
    (body: { digest: string; comment: string }) =>
      send("POST", "/api/v1/incidents/{incident_id}/approve", { ...at(id), body }),
    touchedBy,
  );

export const useAbortIncident = (id: string) =>
  useApiMutation(
    (comment: string) =>
      send("POST", "/api/v1/incidents/{incident_id}/abort", { ...at(id), body: { comment } }),
    touchedBy,
  );
