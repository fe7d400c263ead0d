import type { ReactNode } from "react";
import type { Plan } from "@/api/types";
import { WorkflowLayout } from "@/components/workflow/WorkflowLayout";
import { operationTitle } from "@/domain/operations";
import type { WorkflowStep } from "@/domain/workflow";
import { PlanChip } from "./PlanChip";
import { usePlanState } from "./plan-state";
import { usePlanParticipants } from "./use-plan-participants";
import { useRunOfPlan } from "./use-run-of-plan";

/** The frame of every page of a plan, with its state and the time left until it expires. */
export function PlanLayout({
  plan,
  step,
  children,
}: {
  plan: Plan;
  step: WorkflowStep;
  children: ReactNode;
}) {
  const state = usePlanState(plan);
  const { run } = useRunOfPlan(plan);
  return (
    <WorkflowLayout
      title={operationTitle(plan.kind, usePlanParticipants(plan))}
      location={{ step, kind: plan.kind, linkId: plan.link_id, plan: { id: plan.id, state }, run }}
      chips={<PlanChip plan={plan} />}
    >
      {children}
    </WorkflowLayout>
  );
}
