import { Button } from "@mantine/core";
import { apiPath } from "@/api/client";
import type { Plan } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { Timestamp } from "@/components/Timestamp";
import { useCan } from "@/components/use-session";
import { planChecksLink, planPageLink } from "@/components/workflow/step-link";
import { StepsOnly } from "@/components/workflow/workflow-view";
import { abortSentence } from "@/domain/next-statement";
import { adjacentStep, stepBlockedReason } from "@/domain/workflow";
import { dataLossLabel } from "@/features/operations/planning/shared/data-loss";
import { usePlanState } from "@/features/operations/planning/shared/plan-state";
import { RefusedPlan } from "@/features/operations/planning/shared/RefusedPlan";
import { ReplanButton } from "@/features/operations/planning/shared/ReplanButton";
import { shortHash } from "@/lib/format/number";
import { Copyable, CopyButton } from "@/ui/CopyButton";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import css from "./Plan.module.css";
import { PlanSteps } from "./PlanSteps";
import { planAsSqlScript } from "./plan-script";

const planLink = (plan: Plan) => planPageLink("plan", plan.id);

function Facts({ plan }: { plan: Plan }) {
  const changing = plan.steps.filter((step) => step.sql.length > 0);
  const nodes = [...new Set(changing.map((step) => step.node).filter(Boolean))];
  const boundary = plan.steps.findIndex((step) => step.point_of_no_return);
  return (
    <DescriptionList
      items={[
        ["Data loss", <b key="loss">{dataLossLabel(plan)}</b>],
        [
          "Changes",
          `${changing.length} of ${plan.steps.length} steps, on ${nodes.join(" and ") || "no node"}`,
        ],
        ["Point of no return", boundary === -1 ? abortSentence(plan) : `step ${boundary + 1}`],
        ["Digest", <Copyable key="digest" text={shortHash(plan.digest, 16)} label="the digest" />],
        [
          "Created",
          <span key="created">
            <Timestamp at={plan.created_at} /> by {plan.created_by}
          </span>,
        ],
        ["Reason", plan.reason || "none yet; required to run the plan"],
      ]}
    />
  );
}

/** The plan as files to use outside the console. */
function ExportPanel({ plan }: { plan: Plan }) {
  return (
    <Panel title="Export">
      <div className="row">
        <CopyButton
          text={planAsSqlScript(plan)}
          label="Copy all statements"
          words="Copy all statements"
        />
        <Button
          variant="default"
          component="a"
          href={apiPath(`/plans/${plan.id}/runbook`)}
          download={`${plan.link_name}-${plan.id}.md`}
        >
          Download runbook
        </Button>
      </div>
      <p className="faint note">
        Use the runbook to run these steps by hand if the console is unavailable.
      </p>
    </Panel>
  );
}

/** The steps of a plan with their statements, its facts and its files. */
export function PlanSection({ plan }: { plan: Plan }) {
  const mayRun = useCan("run");
  const state = usePlanState(plan);
  const blocked = stepBlockedReason("confirm", {
    linkId: plan.link_id,
    plan: { id: plan.id, state },
    run: null,
  });
  return (
    <>
      <StepsOnly>
        <RefusedPlan plan={plan} nextPage={planChecksLink} />
      </StepsOnly>
      <div className={css.columns}>
        <Panel title="Steps" aside={`${plan.steps.length} steps; secrets are shown as ***`}>
          <PlanSteps plan={plan} />
          {plan.steps.length === 0 && (
            <p className="dim">A refused plan has no steps. It sends nothing to any node.</p>
          )}
        </Panel>
        <div className={`stack ${css.aside}`}>
          <Panel title="Details">
            <Facts plan={plan} />
            {plan.loss.detail && <p className="dim note">{plan.loss.detail}</p>}
          </Panel>
          {plan.state !== "refused" && <ExportPanel plan={plan} />}
          <StepsOnly>
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
          </StepsOnly>
        </div>
      </div>
    </>
  );
}
