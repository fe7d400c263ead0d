import type { ReactNode } from "react";
import type { Run } from "@/api/types";
import { WorkflowLayout } from "@/components/workflow/WorkflowLayout";
import { operationTitle } from "@/domain/operations";
import type { WorkflowStep } from "@/domain/workflow";
import { ElapsedTime } from "./ElapsedTime";
import { RunChip } from "./RunChip";
import { useRunParticipants } from "./use-run-participants";

/** The head of a run's pages. */
export function RunLayout(props: { run: Run; step: WorkflowStep; children: ReactNode }) {
  const { run, step, children } = props;
  const participants = useRunParticipants(run);
  return (
    <WorkflowLayout
      title={operationTitle(run.kind, participants)}
      location={{
        step,
        kind: run.kind,
        linkId: run.link_id,
        plan: { id: run.plan_id, state: "used" },
        run,
      }}
      chips={<RunChip run={run} />}
      right={<ElapsedTime run={run} />}
    >
      {children}
    </WorkflowLayout>
  );
}
