import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { queryKeys } from "../query-keys";
import type { PlanRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

export const planQuery = (plan_id: string) =>
  queryOptions({
    queryKey: queryKeys.plan(plan_id),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/plans/{plan_id}", { params: { path: { plan_id } }, signal })),
    staleTime: 60_000,
  });

/** Reads both clusters and changes nothing on them. */
export const useCreatePlan = (link_id: string) =>
  useApiMutation((body: PlanRequest) =>
    unwrap(client.POST("/api/v1/links/{link_id}/plans", { params: { path: { link_id } }, body })),
  );
