import { Checkbox } from "@mantine/core";
import type { Plan } from "@/api/types";
import { StepsOnly, useIsOnePage, usePlanLink } from "@/components/workflow/workflow-view";
import { givenStatements } from "@/domain/attestations";
import { stepBlockedReason } from "@/domain/workflow";
import { AttestationForm } from "@/features/operations/planning/checks/AttestationForm";
import css from "@/features/operations/planning/plan/Plan.module.css";
import { planConfirmLabel } from "@/features/operations/planning/plan/plan-script";
import { DataLossPanel } from "@/features/operations/planning/shared/DataLossPanel";
import { FirstStatementPanel } from "@/features/operations/planning/shared/FirstStatementPanel";
import { usePlanState } from "@/features/operations/planning/shared/plan-state";
import { RefusedPlan } from "@/features/operations/planning/shared/RefusedPlan";
import { ReplanButton } from "@/features/operations/planning/shared/ReplanButton";
import { usePlanParticipants } from "@/features/operations/planning/shared/use-plan-participants";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { ConfirmForm } from "./ConfirmForm";
import { PlannedChangesPanel } from "./PlannedChangesPanel";

/** The attestations that this plan was given. */
function GivenAttestations({ plan }: { plan: Plan }) {
  const given = givenStatements(plan);
  if (given.length === 0) return null;
  return (
    <Panel title={`Attested by ${plan.created_by}`} aside="recorded in the audit log">
      <ul className="stack attest">
        {given.map((statement) => (
          <li key={statement}>
            <Checkbox checked readOnly label={statement} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The last look before a run: what it loses, what it changes, and the form that starts it. */
export function ConfirmSection({ plan }: { plan: Plan }) {
  const state = usePlanState(plan);
  const participants = usePlanParticipants(plan);
  const nextPage = usePlanLink("confirm");
  const isOnePage = useIsOnePage();
  const blocked = stepBlockedReason("confirm", {
    linkId: plan.link_id,
    plan: { id: plan.id, state },
    run: null,
  });
  return (
    <>
      <StepsOnly>
        <RefusedPlan plan={plan} nextPage={nextPage} />
      </StepsOnly>
      <div className={css.columns}>
        <div className="stack">
          <DataLossPanel plan={plan} participants={participants} />
          <StepsOnly>
            <AttestationForm plan={plan} nextPage={nextPage} />
          </StepsOnly>
          <GivenAttestations plan={plan} />
          {isOnePage && blocked !== null && state !== "expired" ? (
            <Callout
              tone="neutral"
              title={state === "used" ? "Confirmed: its run is below." : blocked}
            />
          ) : (
            <ConfirmForm
              plan={plan}
              blocked={blocked}
              label={planConfirmLabel(plan, participants)}
            />
          )}
          {state === "expired" && (
            <ReplanButton plan={plan} nextPage={nextPage} words="Plan again with current data" />
          )}
        </div>
        <div className="stack">
          <FirstStatementPanel plan={plan} />
          <PlannedChangesPanel plan={plan} />
        </div>
      </div>
    </>
  );
}
