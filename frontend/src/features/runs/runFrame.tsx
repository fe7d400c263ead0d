import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queries } from "@/api/queries";
import type { Run } from "@/api/types";
import { FlowFrame, flowTitle } from "@/components/FlowFrame";
import type { FlowStep } from "@/lib/flow";
import { formatElapsed } from "@/lib/time";
import { statusOf } from "@/lib/tone";
import { Chip } from "@/ui/Chip";
import css from "./Run.module.css";

export function stateWords(run: Run): string {
  const status = statusOf("run", run.state);
  if (run.state !== "running") return status.word;
  const at = run.steps.findIndex((step) => step.state === "running" || step.state === "pending");
  return `Running · step ${at === -1 ? run.steps.length : at + 1} of ${run.steps.length}`;
}

/** From the confirmation to the end, or to now, by the server's clock. */
export function elapsedMs(run: Run, nowMs: number): number {
  return (run.ended_at ? Date.parse(run.ended_at) : nowMs) - Date.parse(run.created_at);
}

/** The plan behind a run: it knows what was left, and where the point of no return stands. */
export function usePlanOf(run: Run) {
  return useQuery(queries.plan(run.plan_id)).data;
}

/** The head of a run's pages. */
export function RunFrame(props: { run: Run; step: FlowStep; nowMs: number; children: ReactNode }) {
  const { run, step, nowMs, children } = props;
  const plan = usePlanOf(run);
  return (
    <FlowFrame
      title={flowTitle(run.kind, run.link_name, plan?.situation.lost[0] ?? null)}
      place={{
        step,
        kind: run.kind,
        linkId: run.link_id,
        plan: { id: run.plan_id, state: "used" },
        run,
      }}
      chips={<Chip tone={statusOf("run", run.state).tone}>{stateWords(run)}</Chip>}
      right={
        <span className={css.clock} role="timer" aria-label="Time since the confirmation">
          {formatElapsed(elapsedMs(run, nowMs), true)}
        </span>
      }
    >
      {children}
    </FlowFrame>
  );
}
