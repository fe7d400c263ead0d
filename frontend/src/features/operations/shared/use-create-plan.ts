import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { commands } from "@/api/commands";
import { queries } from "@/api/queries";
import type { Plan, PlanKind, PlanRequest } from "@/api/types";
import { useGoTo } from "@/components/AppLink";
import { kindOf } from "@/domain/operations";

/** What the first pages of the flow share: the link, and what the address has chosen so far. */
export function useWorkflowParams(step: "situation" | "target" | "checks") {
  const from = `/shell/links/$linkId/$kind/${step}` as const;
  const { linkId, kind: named } = useParams({ from });
  const search = useSearch({ from });
  const query = useQuery(queries.link(linkId));
  // The route lets only known kinds through.
  const kind: PlanKind = kindOf(named) ?? "relocate";
  return { linkId, search, query, kind };
}

/** Where the flow's first pages stand, with the choices carried in the address. */
export function flowUrl(
  linkId: string,
  kind: string,
  step: string,
  choices: Record<string, string | string[] | undefined>,
): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(choices))
    if (value !== undefined && value.length > 0)
      params.set(key, Array.isArray(value) ? JSON.stringify(value) : value);
  const tail = params.toString();
  return `/links/${linkId}/${kind}/${step}${tail ? `?${tail}` : ""}`;
}

/** The wish behind a plan, to ask for it again. */
export const toPlanRequest = (plan: Plan): PlanRequest => ({
  kind: kindOf(plan.kind) ?? "relocate",
  reason: plan.reason,
  options: plan.options,
});

/** Ask the server for a plan; a refused one is an answer and is shown like any other. */
export function useCreatePlan(linkId: string, then: (plan: Plan) => string) {
  const client = useQueryClient();
  const go = useGoTo();
  return useMutation({
    mutationFn: (wish: PlanRequest) => commands.makePlan(linkId, wish),
    onSuccess: (plan) => {
      client.setQueryData(queries.plan(plan.id).queryKey, plan);
      go(then(plan));
    },
  });
}

/** The page of the checks of a plan. */
export const checksUrl = (plan: Plan): string =>
  flowUrl(plan.link_id, plan.kind, "checks", { plan: plan.id });
