import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { PlanRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

export const planQuery = (plan_id: string) =>
  queryOptions({
    queryKey: queryKeys.plan(plan_id),
    queryFn: ({ signal }) => send("GET", "/api/v1/plans/{plan_id}", { path: { plan_id }, signal }),
    staleTime: 60_000,
  });

/** Reads both clusters and changes nothing on them. */
export const useCreatePlan = (link_id: string) =>
  useApiMutation((body: PlanRequest) =>
    send("POST", "/api/v1/links/{link_id}/plans", { path: { link_id }, body }),
  );
