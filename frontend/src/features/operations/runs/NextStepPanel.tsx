import { useQuery } from "@tanstack/react-query";
import { planQuery } from "@/api/resources/plans";
import type { Plan, Run } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { NextStatement } from "@/components/workflow/NextStatement";
import { nextStep } from "@/domain/next-statement";
import { isRunFinished } from "@/domain/workflow";
import { Panel } from "@/ui/Panel";

const WHEN: Partial<Record<Run["state"], string>> = {
  waiting_approval: "after the approval",
  queued: "as soon as a worker takes the run",
  running: "when the step before it is proven",
};

/** The step that a run takes next, with its statement; nothing once no step is left or the run has ended. */
export function NextStepPanel({ run }: { run: Run }) {
  const query = useQuery(planQuery(run.plan_id));
  if (isRunFinished(run.state)) return null;
  const next = query.data ? nextStep(run, query.data) : undefined;
  if (next === null) return null;
  return (
    <Panel title="Next" aside={WHEN[run.state]}>
      <QueryBoundary<Plan> query={query} label="the plan of this run">
        {(plan) => next && <NextStatement plan={plan} next={next} />}
      </QueryBoundary>
    </Panel>
  );
}
