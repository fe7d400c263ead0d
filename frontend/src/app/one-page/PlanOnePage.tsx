import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { linkQuery } from "@/api/resources/links";
import type { Direction, LinkDetail, Plan } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { QueryBoundary } from "@/components/QueryBoundary";
import { WorkflowViewContext } from "@/components/workflow/workflow-view";
import { kindOf, operationTitle } from "@/domain/operations";
import { pendingStep, shownSteps, type WorkflowStep } from "@/domain/workflow";
import { ChecksSection } from "@/features/operations/planning/checks/ChecksSection";
import { ConfirmSection } from "@/features/operations/planning/confirm/ConfirmSection";
import { PlanSection } from "@/features/operations/planning/plan/PlanSection";
import { ProofSection } from "@/features/operations/planning/proof/ProofSection";
import { PlanSummary } from "@/features/operations/planning/shared/PlanSummary";
import { usePlanState } from "@/features/operations/planning/shared/plan-state";
import { usePlanParticipants } from "@/features/operations/planning/shared/use-plan-participants";
import { useRunOfPlan } from "@/features/operations/planning/shared/use-run-of-plan";
import { WithPlan } from "@/features/operations/planning/shared/WithPlan";
import { SituationSection } from "@/features/operations/planning/situation/SituationSection";
import { PlannedTarget } from "@/features/operations/planning/target/PlannedTarget";
import { OnePageLayout } from "./OnePageLayout";
import { ResultOnePage, RunOnePage, RunSummary } from "./RunOnePage";
import { Section } from "./Section";

const ADDRESS = "/shell/plans/$planId/all";

/** The link as it is now, below what was planned for it. */
function Situation({ plan }: { plan: Plan }) {
  const query = useQuery(linkQuery(plan.link_id));
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link">
      {(link) => (
        <SituationSection
          link={link}
          readAt={query.dataUpdatedAt}
          kind={kindOf(plan.kind) ?? "relocate"}
          targetLink={null}
          hasPlan
        />
      )}
    </QueryBoundary>
  );
}

/** The resume positions; the address names the channel, and the page stays where it is when another is chosen. */
function Proof({ plan }: { plan: Plan }) {
  const { channel = "forward" } = useSearch({ from: ADDRESS });
  const navigate = useNavigate();
  const choose = (direction: Direction) =>
    void navigate({
      to: ".",
      search: { channel: direction },
      hash: true,
      hashScrollIntoView: false,
      replace: true,
    });
  return <ProofSection plan={plan} direction={channel} onChoose={choose} />;
}

function Sections({ plan }: { plan: Plan }) {
  const state = usePlanState(plan);
  const { run, error, retry } = useRunOfPlan(plan);
  const at = { linkId: plan.link_id, plan: { id: plan.id, state }, run };
  const content: Record<WorkflowStep, ReactNode> = {
    situation: <Situation plan={plan} />,
    target: <PlannedTarget plan={plan} />,
    checks: <ChecksSection plan={plan} />,
    proof: <Proof plan={plan} />,
    plan: <PlanSection plan={plan} />,
    confirm: <ConfirmSection plan={plan} />,
    run: run && <RunOnePage runId={run.id} />,
    result: run && <ResultOnePage runId={run.id} />,
  };
  return (
    <OnePageLayout
      title={operationTitle(plan.kind, usePlanParticipants(plan))}
      location={{ ...at, step: pendingStep(plan.kind, at), kind: plan.kind }}
      summary={
        <>
          <PlanSummary plan={plan} />
          {run && <RunSummary runId={run.id} />}
        </>
      }
    >
      {shownSteps(plan.kind, at).map((step) => (
        <Section key={step} step={step}>
          {content[step]}
        </Section>
      ))}
      {error && <ProblemAlert error={error} action="load the run of this plan" retry={retry} />}
    </OnePageLayout>
  );
}

/** A plan on one page, from the situation to the result of its run, for those who know the steps. */
export function PlanOnePage() {
  const { planId } = useParams({ from: ADDRESS });
  return (
    <WorkflowViewContext value="page">
      <WithPlan planId={planId}>{(plan) => <Sections key={plan.id} plan={plan} />}</WithPlan>
    </WorkflowViewContext>
  );
}
