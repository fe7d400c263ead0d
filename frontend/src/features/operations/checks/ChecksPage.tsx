import type { Plan } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ButtonLink } from "@/components/ButtonLink";
import { FindingList } from "@/components/FindingList";
import { firstStepLink, planChecksLink, planPageLink } from "@/components/workflow/step-link";
import { WorkflowLayout } from "@/components/workflow/WorkflowLayout";
import { operationLabel } from "@/domain/operations";
import { adjacentStep } from "@/domain/workflow";
import { planConfirmLabel } from "@/features/operations/plan/plan-script";
import { isBlocking } from "@/features/operations/shared/blockers";
import { PlanLayout } from "@/features/operations/shared/PlanLayout";
import { RefusedPlan } from "@/features/operations/shared/RefusedPlan";
import { ReplanButton } from "@/features/operations/shared/ReplanButton";
import { usePlanParticipants } from "@/features/operations/shared/use-plan-participants";
import { useWorkflowParams } from "@/features/operations/shared/use-workflow-params";
import { WithPlan } from "@/features/operations/shared/WithPlan";
import { pluralize } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { AttestationForm } from "./AttestationForm";
import { ConflictsPanel } from "./ConflictsPanel";
import { ManualStepsPanel } from "./ManualStepsPanel";

/** The page before the checks of a kind. */
const pageBefore = (kind: string) =>
  adjacentStep(kind, "checks", -1) === "target" ? "target" : "situation";

/** The links to the page before, and to the proof or the plan. A refused plan leads no further. */
function AdjacentPages({ plan }: { plan: Plan }) {
  const { source_node, replica_node, orphans } = plan.options;
  const before = pageBefore(plan.kind);
  const next = adjacentStep(plan.kind, "checks", 1) === "proof" ? "proof" : "plan";
  const choices = { source_node, replica_node, orphans: orphans ?? undefined };
  return (
    <>
      <ButtonLink variant="default" {...firstStepLink(before, plan.link_id, plan.kind, choices)}>
        {before === "target" ? "Change target" : "Back to situation"}
      </ButtonLink>
      {plan.state !== "refused" && (
        <ButtonLink {...planPageLink(next, plan.id)}>View {next}</ButtonLink>
      )}
    </>
  );
}

function Verdict({ plan }: { plan: Plan }) {
  const warnings = plan.findings.filter((finding) => finding.severity === "warning").length;
  const operation = planConfirmLabel(plan, usePlanParticipants(plan));
  const hasLoss = plan.loss.transactions !== 0;
  return (
    <Callout
      tone={warnings > 0 || hasLoss ? "warn" : "ok"}
      title={
        warnings > 0
          ? `No blockers. Review ${pluralize(warnings, "warning")} before you continue.`
          : "All checks passed."
      }
      description={`${operation}.`}
      actions={
        <>
          <ReplanButton plan={plan} nextPage={planChecksLink} />
          <AdjacentPages plan={plan} />
        </>
      }
    />
  );
}

function Checks({ plan }: { plan: Plan }) {
  const isRefused = plan.state === "refused";
  const shown = isRefused ? plan.findings.filter((finding) => !isBlocking(finding)) : plan.findings;
  return (
    <PlanLayout plan={plan} step="checks">
      {isRefused ? <RefusedPlan plan={plan} nextPage={planChecksLink} /> : <Verdict plan={plan} />}
      <ManualStepsPanel plan={plan} />
      <ConflictsPanel plan={plan} nextPage={planChecksLink} />
      <AttestationForm plan={plan} nextPage={planChecksLink} />
      {isRefused && (
        <div className="row end">
          <AdjacentPages plan={plan} />
        </div>
      )}
      <Panel
        title={isRefused ? "Other checks" : "All checks"}
        aside={`${shown.length} of ${plan.findings.length}, most severe first`}
      >
        <FindingList findings={shown} showCodes showPassed />
      </Panel>
    </PlanLayout>
  );
}

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
  return <WithPlan planId={search.plan}>{(plan) => <Checks plan={plan} />}</WithPlan>;
}
