import type { ReactNode } from "react";
import type { Run } from "@/api/types";
import { WorkflowLayout } from "@/components/workflow/WorkflowLayout";
import { operationTitle } from "@/domain/operations";
import { statusFor } from "@/domain/status";
import type { WorkflowStep } from "@/domain/workflow";
import { StatusChip } from "@/ui/StatusChip";
import { ElapsedTime } from "./ElapsedTime";
import { ExceptionPanel } from "./ExceptionPanel";
import { useRunParticipants } from "./use-run-participants";

function runStateLabel(run: Run): string {
  const status = statusFor("run", run.state);
  if (run.state !== "running") return status.word;
  const at = run.steps.findIndex((step) => step.state === "running" || step.state === "pending");
  return `Running · step ${at === -1 ? run.steps.length : at + 1} of ${run.steps.length}`;
}

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
      chips={<StatusChip tone={statusFor("run", run.state).tone}>{runStateLabel(run)}</StatusChip>}
      right={<ElapsedTime run={run} />}
    >
      <ExceptionPanel run={run} />
      {children}
    </WorkflowLayout>
  );
}
