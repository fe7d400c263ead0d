import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { apiPath } from "@/api/client";
import type { Plan } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { Timestamp } from "@/components/Timestamp";
import { useServerTime } from "@/components/use-server-time";
import { useCan } from "@/components/use-session";
import { planChecksLink, planPageLink } from "@/components/workflow/step-link";
import { adjacentStep, stepBlockedReason } from "@/domain/workflow";
import { PlanLayout, planState, WithPlan } from "@/features/operations/shared/PlanLayout";
import { RefusedPlan, ReplanButton } from "@/features/operations/shared/RefusedPlan";

import { shortHash } from "@/lib/format/number";
import { Copyable, CopyButton } from "@/ui/CopyButton";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import css from "./Plan.module.css";
import { PlanSteps } from "./PlanSteps";
import { dataLossLabel, planAsSqlScript, reasonGiven } from "./plan-script";

const planLink = (plan: Plan) => planPageLink("plan", plan.id);

function Facts({ plan }: { plan: Plan }) {
  const changing = plan.steps.filter((step) => step.sql.length > 0);
  const nodes = [...new Set(changing.map((step) => step.node).filter(Boolean))];
  const wall = plan.steps.findIndex((step) => step.point_of_no_return);
  return (
    <DescriptionList
      items={[
        ["Loss", <b key="loss">{dataLossLabel(plan)}</b>],
        [
          "Changes",
          `${changing.length} of ${plan.steps.length} steps, on ${nodes.join(" and ") || "no node"}`,
        ],
        ["No return", wall === -1 ? "never: every step can be undone" : `at step ${wall + 1}`],
        ["Digest", <Copyable key="digest" text={shortHash(plan.digest, 16)} label="the digest" />],
        [
          "Made",
          <span key="made">
            <Timestamp at={plan.created_at} /> by {plan.created_by}
          </span>,
        ],
        ["Reason", reasonGiven(plan) || "asked for at the confirmation"],
      ]}
    />
  );
}

/** A plan to carry out elsewhere; a refused one holds nothing that could be. */
function ToKeep({ plan }: { plan: Plan }) {
  return (
    <Panel title="To keep">
      <div className="row">
        <CopyButton text={planAsSqlScript(plan)} label="Copy all statements" words="Copy all" />
        <Button
          variant="default"
          component="a"
          href={apiPath(`/plans/${plan.id}/runbook`)}
          download={`${plan.link_name}-${plan.id}.md`}
        >
          Download the runbook
        </Button>
      </div>
      <p className="faint note">The runbook does the same by hand, should this console be gone.</p>
    </Panel>
  );
}

function PlanView({ plan }: { plan: Plan }) {
  const mayRun = useCan("run");
  const state = planState(plan, useServerTime());
  const blocked = stepBlockedReason("confirm", {
    linkId: plan.link_id,
    plan: { id: plan.id, state },
    run: null,
  });
  return (
    <PlanLayout plan={plan} step="plan">
      <RefusedPlan plan={plan} nextPage={planChecksLink} />
      <div className={css.columns}>
        <Panel
          title="What would be done"
          aside={`${plan.steps.length} steps; secrets are shown as ***`}
        >
          <PlanSteps plan={plan} />
          {plan.steps.length === 0 && (
            <p className="dim">A refused plan has no steps: nothing would be sent.</p>
          )}
        </Panel>
        <div className={`stack ${css.aside}`}>
          <Panel title="This plan">
            <Facts plan={plan} />
            {plan.loss.detail && <p className="dim note">{plan.loss.detail}</p>}
          </Panel>
          {plan.state !== "refused" && <ToKeep plan={plan} />}
          <div className="row end">
            {state === "expired" && (
              <ReplanButton plan={plan} nextPage={planLink} words="Plan again" />
            )}
            <ButtonLink
              variant="default"
              {...(adjacentStep(plan.kind, "plan", -1) === "proof"
                ? planPageLink("proof", plan.id)
                : planChecksLink(plan))}
            >
              Back
            </ButtonLink>
            {mayRun && plan.state !== "refused" && (
              <DisabledReasonButton
                disabledReason={blocked}
                link={planPageLink("confirm", plan.id)}
              >
                Go to confirmation
              </DisabledReasonButton>
            )}
          </div>
        </div>
      </div>
    </PlanLayout>
  );
}

export function PlanPage() {
  const { planId } = useParams({ from: "/shell/plans/$planId/plan" });
  return <WithPlan planId={planId}>{(plan) => <PlanView plan={plan} />}</WithPlan>;
}
