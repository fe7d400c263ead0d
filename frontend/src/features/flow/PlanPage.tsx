import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { apiPath } from "@/api/http";
import type { Plan } from "@/api/types";
import { Moment, useServerNow } from "@/components/clock";
import { Go } from "@/components/Go";
import { useMay } from "@/components/session";
import { WhyNot } from "@/components/WhyNot";
import { flowBeside, flowBlock } from "@/lib/flow";
import { shortHash } from "@/lib/numbers";
import { Copyable, CopyButton } from "@/ui/CopyButton";
import { FactList } from "@/ui/FactList";
import { Panel } from "@/ui/Panel";
import css from "./Plan.module.css";
import { PlanSteps } from "./PlanSteps";
import { PlanFrame, planState, WithPlan } from "./planHead";
import { lossWords, planText, reasonGiven } from "./planText";
import { PlanAgain, RefusedNotice } from "./RefusedNotice";
import { checksUrl } from "./useFlow";

const planUrl = (plan: Plan) => `/plans/${plan.id}/plan`;

function Facts({ plan }: { plan: Plan }) {
  const changing = plan.steps.filter((step) => step.sql.length > 0);
  const nodes = [...new Set(changing.map((step) => step.node).filter(Boolean))];
  const wall = plan.steps.findIndex((step) => step.point_of_no_return);
  return (
    <FactList
      facts={[
        ["Loss", <b key="loss">{lossWords(plan)}</b>],
        [
          "Changes",
          `${changing.length} of ${plan.steps.length} steps, on ${nodes.join(" and ") || "no node"}`,
        ],
        ["No return", wall === -1 ? "never: every step can be undone" : `at step ${wall + 1}`],
        ["Digest", <Copyable key="digest" text={shortHash(plan.digest, 16)} label="the digest" />],
        [
          "Made",
          <span key="made">
            <Moment at={plan.created_at} /> by {plan.created_by}
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
        <CopyButton text={planText(plan)} label="Copy all statements" words="Copy all" />
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
  const mayRun = useMay("run");
  const state = planState(plan, useServerNow());
  const blocked = flowBlock("confirm", {
    linkId: plan.link_id,
    plan: { id: plan.id, state },
    run: null,
  });
  return (
    <PlanFrame plan={plan} step="plan">
      <RefusedNotice plan={plan} then={checksUrl} />
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
            {state === "expired" && <PlanAgain plan={plan} then={planUrl} words="Plan again" />}
            <Button
              variant="default"
              component={Go}
              to={
                flowBeside(plan.kind, "plan", -1) === "proof"
                  ? `/plans/${plan.id}/proof`
                  : checksUrl(plan)
              }
            >
              Back
            </Button>
            {mayRun && plan.state !== "refused" && (
              <WhyNot because={blocked} to={`/plans/${plan.id}/confirm`}>
                Go to confirmation
              </WhyNot>
            )}
          </div>
        </div>
      </div>
    </PlanFrame>
  );
}

export function PlanPage() {
  const { planId } = useParams({ from: "/shell/plans/$planId/plan" });
  return <WithPlan planId={planId}>{(plan) => <PlanView plan={plan} />}</WithPlan>;
}
