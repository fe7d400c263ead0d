import type { Plan } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { FindingList } from "@/components/FindingList";
import { firstStepLink, planPageLink } from "@/components/workflow/step-link";
import { StepsOnly, useIsOnePage, usePlanLink } from "@/components/workflow/workflow-view";
import { adjacentStep } from "@/domain/workflow";
import { planConfirmLabel } from "@/features/operations/planning/plan/plan-script";
import { isBlocking } from "@/features/operations/planning/shared/blockers";
import { FirstStatementPanel } from "@/features/operations/planning/shared/FirstStatementPanel";
import { RefusedPlan } from "@/features/operations/planning/shared/RefusedPlan";
import { ReplanButton } from "@/features/operations/planning/shared/ReplanButton";
import { usePlanParticipants } from "@/features/operations/planning/shared/use-plan-participants";
import { pluralize } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { AttestationForm } from "./AttestationForm";
import { ConflictsPanel } from "./ConflictsPanel";
import { ManualStepsPanel } from "./ManualStepsPanel";

/** The page before the checks of a kind. */
export function pageBefore(kind: string): "situation" | "target" | null {
  const before = adjacentStep(kind, "checks", -1);
  if (before === "checks") return null;
  return before === "target" ? "target" : "situation";
}

/** The links to the page before, and to the proof or the plan. A refused plan leads no further. */
function AdjacentPages({ plan }: { plan: Plan }) {
  const { source_node, replica_node, orphans } = plan.options;
  const before = pageBefore(plan.kind);
  const next = adjacentStep(plan.kind, "checks", 1) === "proof" ? "proof" : "plan";
  const choices = { source_node, replica_node, orphans: orphans ?? undefined };
  return (
    <>
      {before && (
        <ButtonLink variant="default" {...firstStepLink(before, plan.link_id, plan.kind, choices)}>
          {before === "target" ? "Change target" : "Back to situation"}
        </ButtonLink>
      )}
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
  const nextPage = usePlanLink("checks");
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
          <ReplanButton plan={plan} nextPage={nextPage} />
          <StepsOnly>
            <AdjacentPages plan={plan} />
          </StepsOnly>
        </>
      }
    />
  );
}

/** The findings of a plan, and what a person has to add to them. */
export function ChecksSection({ plan }: { plan: Plan }) {
  const nextPage = usePlanLink("checks");
  const isOnePage = useIsOnePage();
  const isRefused = plan.state === "refused";
  const shown = isRefused ? plan.findings.filter((finding) => !isBlocking(finding)) : plan.findings;
  return (
    <>
      {isRefused ? <RefusedPlan plan={plan} nextPage={nextPage} /> : <Verdict plan={plan} />}
      <ManualStepsPanel plan={plan} />
      <ConflictsPanel plan={plan} nextPage={nextPage} />
      <AttestationForm plan={plan} nextPage={nextPage} />
      {isRefused && (
        <StepsOnly>
          <div className="row end">
            <AdjacentPages plan={plan} />
          </div>
        </StepsOnly>
      )}
      <Panel
        title={isRefused ? "Other checks" : "All checks"}
        aside={`${shown.length} of ${plan.findings.length}, most severe first`}
      >
        <FindingList findings={shown} showCodes showPassed={!isOnePage} />
      </Panel>
      <StepsOnly>
        <FirstStatementPanel plan={plan} />
      </StepsOnly>
    </>
  );
}
