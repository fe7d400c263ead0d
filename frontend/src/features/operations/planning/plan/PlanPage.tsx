import { useParams } from "@tanstack/react-router";
import { PlanLayout } from "@/features/operations/planning/shared/PlanLayout";
import { WithPlan } from "@/features/operations/planning/shared/WithPlan";
import { PlanSection } from "./PlanSection";

export function PlanPage() {
  const { planId } = useParams({ from: "/shell/plans/$planId/plan" });
  return (
    <WithPlan planId={planId}>
      {(plan) => (
        <PlanLayout plan={plan} step="plan">
          <PlanSection plan={plan} />
        </PlanLayout>
      )}
    </WithPlan>
  );
}
