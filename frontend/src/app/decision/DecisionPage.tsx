import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { runDecisionQuery, runQuery } from "@/api/resources/runs";
import type { Direction, Plan, Run, RunDecision } from "@/api/types";
import { FindingList } from "@/components/FindingList";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { WorkflowViewContext } from "@/components/workflow/workflow-view";
import { operationLabel } from "@/domain/operations";
import { PlanSteps } from "@/features/operations/planning/plan/PlanSteps";
import { ProofSection } from "@/features/operations/planning/proof/ProofSection";
import { DataLossPanel } from "@/features/operations/planning/shared/DataLossPanel";
import { usePlanParticipants } from "@/features/operations/planning/shared/use-plan-participants";
import { WithPlan } from "@/features/operations/planning/shared/WithPlan";
import { RunChip } from "@/features/operations/runs/RunChip";
import { Panel } from "@/ui/Panel";
import { CurrentState } from "./CurrentState";
import { DecisionPanel } from "./DecisionPanel";
import { RequestPanel } from "./RequestPanel";

const ADDRESS = "/shell/runs/$runId/approve";

/** What the operator saw before the confirmation: data loss, checks, proof, and each statement. */
function ConfirmedPlan({ plan }: { plan: Plan }) {
  const [channel, setChannel] = useState<Direction>("forward");
  return (
    <>
      <DataLossPanel plan={plan} participants={usePlanParticipants(plan)} />
      <Panel title="Checks" aside={`${plan.findings.length}, most severe first`}>
        <FindingList findings={plan.findings} showCodes />
      </Panel>
      <WorkflowViewContext value="page">
        <ProofSection plan={plan} direction={channel} onChoose={setChannel} />
      </WorkflowViewContext>
      <Panel title="Steps" aside={`${plan.steps.length} steps; secrets are shown as ***`}>
        <PlanSteps plan={plan} />
      </Panel>
    </>
  );
}

function Decision({ run }: { run: Run }) {
  const decision = useQuery(runDecisionQuery(run.id));
  return (
    <>
      <PageHeader title={`Approve: ${run.summary || operationLabel(run.kind)}`}>
        <RunChip run={run} />
      </PageHeader>
      <div className="stack">
        <RequestPanel run={run} />
        <WithPlan planId={run.plan_id}>
          {(plan) => (
            <QueryBoundary<RunDecision> query={decision} label="the current state">
              {(now) => (
                <div className="stack">
                  <CurrentState decision={now} />
                  <ConfirmedPlan plan={plan} />
                  <DecisionPanel run={run} plan={plan} decision={now} />
                </div>
              )}
            </QueryBoundary>
          )}
        </WithPlan>
      </div>
    </>
  );
}

/** The page of one decision: what was confirmed, what has changed since, and the approval or rejection. */
export function DecisionPage() {
  const { runId } = useParams({ from: ADDRESS });
  const query = useQuery(runQuery(runId));
  return (
    <QueryBoundary<Run> query={query} label="the run" heading="Approve">
      {(run) => <Decision run={run} />}
    </QueryBoundary>
  );
}
