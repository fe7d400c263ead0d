import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { planQuery } from "@/api/resources/plans";
import type { Run } from "@/api/types";
import { useParticipants } from "@/components/use-participants";
import { WorkflowLayout } from "@/components/workflow/WorkflowLayout";
import { operationTitle, type Participants } from "@/domain/operations";
import { statusFor } from "@/domain/status";
import type { WorkflowStep } from "@/domain/workflow";
import { formatElapsed } from "@/lib/format/time";
import { StatusChip } from "@/ui/StatusChip";
import { ExceptionPanel } from "./ExceptionPanel";
import css from "./Run.module.css";

export function runStateLabel(run: Run): string {
  const status = statusFor("run", run.state);
  if (run.state !== "running") return status.word;
  const at = run.steps.findIndex((step) => step.state === "running" || step.state === "pending");
  return `Running · step ${at === -1 ? run.steps.length : at + 1} of ${run.steps.length}`;
}

/** From the confirmation to the end, or to now, by the server's clock. */
export function elapsedMs(run: Run, nowMs: number): number {
  return (run.ended_at ? Date.parse(run.ended_at) : nowMs) - Date.parse(run.created_at);
}

/** Who plays in a run; the plan behind it knows which node was left. */
export function useRunParticipants(run: Run): Participants {
  const plan = useQuery(planQuery(run.plan_id)).data;
  return useParticipants(run, plan?.situation.lost[0] ?? null);
}

/** The head of a run's pages. */
export function RunLayout(props: {
  run: Run;
  step: WorkflowStep;
  nowMs: number;
  children: ReactNode;
}) {
  const { run, step, nowMs, children } = props;
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
      right={
        <span className={css.clock} role="timer" aria-label="Time since the confirmation">
          {formatElapsed(elapsedMs(run, nowMs), true)}
        </span>
      }
    >
      <ExceptionPanel run={run} />
      {children}
    </WorkflowLayout>
  );
}
