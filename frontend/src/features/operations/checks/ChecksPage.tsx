import type { Plan } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ButtonLink } from "@/components/ButtonLink";
import { FindingList } from "@/components/FindingList";
import { firstStepLink, planChecksLink, planPageLink } from "@/components/workflow/step-link";
import { adjacentStep } from "@/domain/workflow";
import { planConfirmLabel } from "@/features/operations/plan/plan-script";
import { PlanLayout, usePlanParticipants, WithPlan } from "@/features/operations/shared/PlanLayout";
import { isBlocking, RefusedPlan, ReplanButton } from "@/features/operations/shared/RefusedPlan";
import { useWorkflowParams } from "@/features/operations/shared/use-create-plan";
import { pluralize } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { AttestationForm } from "./AttestationForm";
import { ConflictsPanel } from "./ConflictsPanel";
import { ManualStepsPanel } from "./ManualStepsPanel";

/** On to the proof, or, where there is none, to the plan; and back to what was chosen. Nothing leads on from a refusal. */
function Ways({ plan }: { plan: Plan }) {
  const { source_node, replica_node, orphans } = plan.options;
  const before = adjacentStep(plan.kind, "checks", -1);
  const next = adjacentStep(plan.kind, "checks", 1);
  const choices = { source_node, replica_node, orphans: orphans ?? undefined };
  const back = firstStepLink(
    before === "target" ? "target" : "situation",
    plan.link_id,
    plan.kind,
    choices,
  );
  return (
    <>
      <ButtonLink variant="default" {...back}>
        {before === "target" ? "Choose again" : "Back to the situation"}
      </ButtonLink>
      {plan.state !== "refused" && (
        <ButtonLink {...planPageLink(next === "proof" ? "proof" : "plan", plan.id)}>
          {next === "proof" ? "See the proof" : "See the plan"}
        </ButtonLink>
      )}
    </>
  );
}

function Verdict({ plan }: { plan: Plan }) {
  const warnings = plan.findings.filter((finding) => finding.severity === "warning").length;
  const act = planConfirmLabel(plan, usePlanParticipants(plan));
  const loses = plan.loss.transactions !== 0;
  return (
    <Callout
      tone={warnings > 0 || loses ? "warn" : "ok"}
      title={
        warnings > 0
          ? `Nothing forbids it; ${pluralize(warnings, "warning")} to know before you go on.`
          : "Nothing stands in the way."
      }
      description={plan.summary.replace(/\.$/, "") === act ? `${act}.` : `${act}. ${plan.summary}`}
      actions={
        <>
          <ReplanButton plan={plan} nextPage={planChecksLink} />
          <Ways plan={plan} />
        </>
      }
    />
  );
}

function Checks({ plan }: { plan: Plan }) {
  const refused = plan.state === "refused";
  const shown = refused ? plan.findings.filter((finding) => !isBlocking(finding)) : plan.findings;
  return (
    <PlanLayout plan={plan} step="checks">
      {refused ? <RefusedPlan plan={plan} nextPage={planChecksLink} /> : <Verdict plan={plan} />}
      <ManualStepsPanel plan={plan} />
      <ConflictsPanel plan={plan} nextPage={planChecksLink} />
      <AttestationForm plan={plan} nextPage={planChecksLink} />
      {refused && (
        <div className="row end">
          <Ways plan={plan} />
        </div>
      )}
      <Panel
        title={refused ? "The other checks" : "All checks"}
        aside={`${shown.length} of ${plan.findings.length}, gravest first`}
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
      <Callout
        tone="neutral"
        title="No check has been made yet."
        description="Checks belong to a choice: make it first."
        actions={
          <AppLink
            {...firstStepLink(
              adjacentStep(kind, "checks", -1) === "target" ? "target" : "situation",
              linkId,
              kind,
            )}
          >
            Begin
          </AppLink>
        }
      />
    );
  return <WithPlan planId={search.plan}>{(plan) => <Checks plan={plan} />}</WithPlan>;
}
