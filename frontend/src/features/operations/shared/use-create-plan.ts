import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { linkQuery } from "@/api/resources/links";
import { planQuery, useCreatePlan as useCreatePlanCall } from "@/api/resources/plans";
import type { Plan, PlanKind, PlanRequest } from "@/api/types";
import type { StepLink } from "@/components/workflow/step-link";
import { kindOf } from "@/domain/operations";

/** What the first pages of the workflow share: the link, and what the address has chosen so far. */
export function useWorkflowParams(step: "situation" | "target" | "checks") {
  const from = `/shell/links/$linkId/$kind/${step}` as const;
  const { linkId, kind: named } = useParams({ from });
  const search = useSearch({ from });
  const query = useQuery(linkQuery(linkId));
  // The route lets only known kinds through.
  const kind: PlanKind = kindOf(named) ?? "relocate";
  return { linkId, search, query, kind };
}

/** The request behind a plan, to send it again. */
export const toPlanRequest = (plan: Plan): PlanRequest => ({
  kind: kindOf(plan.kind) ?? "relocate",
  reason: plan.reason,
  options: plan.options,
});

/** Creates a plan and shows the page `next` names; a refused plan is shown like any other. */
export function useCreatePlan(linkId: string, next: (plan: Plan) => StepLink) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const creating = useCreatePlanCall(linkId);
  const create = (request: PlanRequest) =>
    creating.mutate(request, {
      onSuccess: (plan) => {
        client.setQueryData(planQuery(plan.id).queryKey, plan);
        void navigate(next(plan));
      },
    });
  return { ...creating, create };
}
