import { AppLink } from "@/components/AppLink";
import { firstStepLink } from "@/components/workflow/step-link";
import { WorkflowLayout } from "@/components/workflow/WorkflowLayout";
import { operationLabel } from "@/domain/operations";
import { PlanLayout } from "@/features/operations/planning/shared/PlanLayout";
import { useWorkflowParams } from "@/features/operations/planning/shared/use-workflow-params";
import { WithPlan } from "@/features/operations/planning/shared/WithPlan";
import { Callout } from "@/ui/Callout";
import { ChecksSection, pageBefore } from "./ChecksSection";

export function ChecksPage() {
  const { linkId, search, kind } = useWorkflowParams("checks");
  const before = pageBefore(kind);
  if (!search.plan)
    return (
      <WorkflowLayout
        title={operationLabel(kind)}
        location={{ step: "checks", kind, linkId, plan: null, run: null }}
      >
        <Callout
          tone="neutral"
          title="No checks were run yet."
          description={
            before
              ? "Checks run when a plan is created. Create a plan first."
              : "Checks run when a plan is created. Choose settings on the page Configuration of a cluster first."
          }
          actions={
            before ? (
              <AppLink {...firstStepLink(before, linkId, kind)}>Go to {before}</AppLink>
            ) : (
              <AppLink to="/clusters">Go to clusters</AppLink>
            )
          }
        />
      </WorkflowLayout>
    );
  return (
    <WithPlan planId={search.plan}>
      {(plan) => (
        <PlanLayout plan={plan} step="checks">
          <ChecksSection plan={plan} />
        </PlanLayout>
      )}
    </WithPlan>
  );
}
