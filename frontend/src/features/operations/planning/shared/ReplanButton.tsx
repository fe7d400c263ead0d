import type { Plan } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import type { StepLink } from "@/components/workflow/step-link";
import { toPlanRequest, useCreatePlan } from "./use-create-plan";

/** Creates a plan from the same request: the state of the clusters may have changed. */
export function ReplanButton({
  plan,
  nextPage,
  words = "Check again",
}: {
  plan: Plan;
  nextPage: (plan: Plan) => StepLink;
  words?: string;
}) {
  const planning = useCreatePlan(plan.link_id, nextPage);
  return (
    <>
      {planning.isError && <ProblemAlert error={planning.error} action="create the plan" />}
      <DisabledReasonButton
        variant="default"
        disabledReason={planning.refusal}
        loading={planning.isPending}
        onClick={() => planning.create(toPlanRequest(plan))}
      >
        {words}
      </DisabledReasonButton>
    </>
  );
}
