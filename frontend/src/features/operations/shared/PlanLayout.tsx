import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { pagesOf } from "@/api/pages";
import { runsQuery } from "@/api/resources/runs";
import type { Plan } from "@/api/types";
import { WorkflowLayout } from "@/components/workflow/WorkflowLayout";
import { operationTitle } from "@/domain/operations";
import type { WorkflowStep } from "@/domain/workflow";
import { PlanChip } from "./PlanChip";
import { usePlanState } from "./plan-state";
import { usePlanParticipants } from "./use-plan-participants";

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
  const runs = useInfiniteQuery({
    ...pagesOf(runsQuery({ link: plan.link_id })),
    enabled: state === "used",
  });
  const run =
    runs.data?.pages.flatMap((page) => page.results).find((entry) => entry.plan_id === plan.id) ??
    null;
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
