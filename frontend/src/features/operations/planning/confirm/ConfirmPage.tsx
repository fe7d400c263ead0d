import { useParams } from "@tanstack/react-router";
import { PlanLayout } from "@/features/operations/planning/shared/PlanLayout";
import { WithPlan } from "@/features/operations/planning/shared/WithPlan";
import { ConfirmSection } from "./ConfirmSection";

export function ConfirmPage() {
  const { planId } = useParams({ from: "/shell/plans/$planId/confirm" });
  return (
    <WithPlan planId={planId}>
      {(plan) => (
        <PlanLayout plan={plan} step="confirm">
          <ConfirmSection key={plan.id} plan={plan} />
        </PlanLayout>
      )}
    </WithPlan>
  );
}
