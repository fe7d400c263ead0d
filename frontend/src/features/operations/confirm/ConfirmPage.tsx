import { Checkbox } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import type { Plan } from "@/api/types";
import { planPageLink } from "@/components/workflow/step-link";
import { givenAttestations } from "@/domain/attestations";
import { stepBlockedReason } from "@/domain/workflow";
import { AttestationForm } from "@/features/operations/checks/AttestationForm";
import css from "@/features/operations/plan/Plan.module.css";
import { planConfirmLabel } from "@/features/operations/plan/plan-script";
import { DataLossPanel } from "@/features/operations/shared/DataLossPanel";
import { PlanLayout } from "@/features/operations/shared/PlanLayout";
import { usePlanState } from "@/features/operations/shared/plan-state";
import { RefusedPlan } from "@/features/operations/shared/RefusedPlan";
import { ReplanButton } from "@/features/operations/shared/ReplanButton";
import { usePlanParticipants } from "@/features/operations/shared/use-plan-participants";
import { WithPlan } from "@/features/operations/shared/WithPlan";
import { Panel } from "@/ui/Panel";
import { ConfirmForm } from "./ConfirmForm";
import { PlannedChangesPanel } from "./PlannedChangesPanel";

const confirmLink = (plan: Plan) => planPageLink("confirm", plan.id);

/** The attestations that this plan was given. */
function GivenAttestations({ plan }: { plan: Plan }) {
  const given = givenAttestations(plan);
  if (given.length === 0) return null;
  return (
    <Panel title="Attestations given" aside={`recorded under ${plan.created_by}`}>
      <ul className="stack attest">
        {given.map((finding) => (
          <li key={finding.message}>
            <Checkbox checked readOnly label={finding.message} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Confirm({ plan }: { plan: Plan }) {
  const state = usePlanState(plan);
  const participants = usePlanParticipants(plan);
  const blocked = stepBlockedReason("confirm", {
    linkId: plan.link_id,
    plan: { id: plan.id, state },
    run: null,
  });
  return (
    <PlanLayout plan={plan} step="confirm">
      <RefusedPlan plan={plan} nextPage={confirmLink} />
      <div className={css.columns}>
        <div className="stack">
          <DataLossPanel plan={plan} participants={participants} />
          <AttestationForm plan={plan} nextPage={confirmLink} />
          <GivenAttestations plan={plan} />
          <ConfirmForm plan={plan} blocked={blocked} label={planConfirmLabel(plan, participants)} />
          {state === "expired" && (
            <ReplanButton plan={plan} nextPage={confirmLink} words="Plan again with current data" />
          )}
        </div>
        <PlannedChangesPanel plan={plan} />
      </div>
    </PlanLayout>
  );
}

export function ConfirmPage() {
  const { planId } = useParams({ from: "/shell/plans/$planId/confirm" });
  return <WithPlan planId={planId}>{(plan) => <Confirm key={plan.id} plan={plan} />}</WithPlan>;
}
