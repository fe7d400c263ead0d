import { AppLink } from "@/components/AppLink";
import { firstStepLink } from "@/components/workflow/step-link";
import { WorkflowLayout } from "@/components/workflow/WorkflowLayout";
import { operationLabel } from "@/domain/operations";
import { PlanLayout } from "@/features/operations/shared/PlanLayout";
import { useWorkflowParams } from "@/features/operations/shared/use-workflow-params";
import { WithPlan } from "@/features/operations/shared/WithPlan";
import { Callout } from "@/ui/Callout";
import { ChecksSection, pageBefore } from "./ChecksSection";

export function ChecksPage() {
  const { linkId, search, kind } = useWorkflowParams("checks");
  if (!search.plan)
    return (
      <WorkflowLayout
        title={operationLabel(kind)}
        location={{ step: "checks", kind, linkId, plan: null, run: null }}
      >
        <Callout
          tone="neutral"
          title="No checks were run yet."
          description="Checks run when a plan is created. Create a plan first."
          actions={
            <AppLink {...firstStepLink(pageBefore(kind), linkId, kind)}>
              Go to {pageBefore(kind)}
            </AppLink>
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
