import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queries } from "@/api/queries";
import type { Run } from "@/api/types";
import { useCast } from "@/components/cast";
import { FlowFrame } from "@/components/FlowFrame";
import type { FlowStep } from "@/lib/flow";
import { type Cast, titleOf } from "@/lib/kinds";
import { formatElapsed } from "@/lib/time";
import { statusOf } from "@/lib/tone";
import { Chip } from "@/ui/Chip";
import { ExceptionPanel } from "./ExceptionPanel";
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

/** Who plays in a run; the plan behind it knows which node was left. */
export function useCastOf(run: Run): Cast {
  const plan = useQuery(queries.plan(run.plan_id)).data;
  return useCast(run, plan?.situation.lost[0] ?? null);
}

/** The head of a run's pages. */
export function RunFrame(props: { run: Run; step: FlowStep; nowMs: number; children: ReactNode }) {
  const { run, step, nowMs, children } = props;
  const cast = useCastOf(run);
  return (
    <FlowFrame
      title={titleOf(run.kind, cast)}
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
      <ExceptionPanel run={run} />
      {children}
    </FlowFrame>
  );
}
