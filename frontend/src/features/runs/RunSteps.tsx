import { Fragment } from "react";
import type { Run, RunStep } from "@/api/types";
import { statusFor } from "@/domain/status";
import { stripNodePrefix } from "@/domain/step-title";
import { formatNumber } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Run.module.css";

function took(step: RunStep, nowMs: number): string {
  if (!step.started_at) return "";
  const end = step.ended_at ? Date.parse(step.ended_at) : nowMs;
  return formatDuration((end - Date.parse(step.started_at)) / 1000);
}

/** How far a step is that goes in batches; once it is done its outcome says the rest. */
function Batches({ step }: { step: RunStep }) {
  if (!step.progress || step.state === "succeeded") return null;
  const { done, of } = step.progress;
  return (
    <div className={css.batches}>
      <progress value={done} max={of} aria-label={`Progress of ${step.title}`} />
      <span>
        {formatNumber(done)} of {formatNumber(of)} transactions
      </span>
    </div>
  );
}

function Step({ step, nowMs }: { step: RunStep; nowMs: number }) {
  const status = statusFor("step", step.state);
  return (
    <li
      className={`${css.step} ${step.state === "pending" ? css.pending : ""}`}
      aria-current={step.state === "running" ? "step" : undefined}
    >
      <div>
        <StatusChip
          tone={status.tone}
          iconOnly
          title={status.word}
          tick={step.state === "succeeded"}
        >
          {status.word}
        </StatusChip>
      </div>
      <div>
        <div className={css.title}>
          {step.node ? `${step.node}: ` : ""}
          {stripNodePrefix(step.title, step.node)}
        </div>
        <Batches step={step} />
        {step.outcome && <div className={css.outcome}>{step.outcome}</div>}
        {step.attempts > 1 && <div className={css.outcome}>attempt {step.attempts}</div>}
        {step.observed_after_crash && (
          <div className={css.outcome}>taken up after an interruption: the node was read first</div>
        )}
      </div>
      <div className={css.took}>{took(step, nowMs)}</div>
    </li>
  );
}

/** The steps with their state, and the line after which abort is refused. */
export function RunSteps({
  run,
  wallAt,
  nowMs,
}: {
  run: Run;
  wallAt: number | null;
  nowMs: number;
}) {
  return (
    <ol>
      {run.steps.map((step) => (
        <Fragment key={step.index}>
          {step.index === wallAt && (
            <li className={css.wall}>
              {run.point_of_no_return_passed ? "point of no return, passed" : "point of no return"}
            </li>
          )}
          <Step step={step} nowMs={nowMs} />
        </Fragment>
      ))}
    </ol>
  );
}
