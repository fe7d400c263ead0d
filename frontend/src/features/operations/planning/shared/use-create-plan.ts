import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { planQuery, useCreatePlan as useCreatePlanCall } from "@/api/resources/plans";
import type { Plan, PlanRequest } from "@/api/types";
import { useCan } from "@/components/use-session";
import type { StepLink } from "@/components/workflow/step-link";
import { kindOf } from "@/domain/operations";

/** The request that a plan was created by, to send it again. */
export const toPlanRequest = (plan: Plan): PlanRequest => ({
  kind: kindOf(plan.kind) ?? "relocate",
  reason: plan.reason,
  options: plan.options,
});

/** Creates a plan and opens the page `next` names; a refused plan is shown like any other. */
export function useCreatePlan(linkId: string, next: (plan: Plan) => StepLink) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const creating = useCreatePlanCall(linkId);
  const mayPlan = useCan("plan");
  const show = (plan: Plan) => {
    client.setQueryData(planQuery(plan.id).queryKey, plan);
    return navigate(next(plan));
  };
  return {
    /** Why this user cannot create plans; null where they can. */
    refusal: mayPlan ? null : "Your role can view plans but not create them.",
    isPending: creating.isPending,
    isError: creating.isError,
    error: creating.error,
    create: (request: PlanRequest) =>
      creating.mutate(request, { onSuccess: (plan) => void show(plan) }),
    /** Rejects with the server's problem, for a form that shows it itself. */
    createAsync: async (request: PlanRequest) => show(await creating.mutateAsync(request)),
  };
}
