import { Fragment } from "react";
import type { Run, RunStep } from "@/api/types";
import { Term } from "@/components/Term";
import { statusFor } from "@/domain/status";
import { stripNodePrefix } from "@/domain/step-title";
import { formatNumber } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Run.module.css";
import { RunningDuration } from "./RunningDuration";
import { stepSeconds } from "./step-seconds";

/** How long a step took, or how long it has been running; nothing before it starts. */
function StepDuration({ step }: { step: RunStep }) {
  if (!step.started_at) return null;
  const seconds = stepSeconds(step);
  if (seconds === null) return <RunningDuration since={step.started_at} />;
  return <>{formatDuration(seconds)}</>;
}

/** The progress of a step that works in batches; once it has succeeded its outcome says the rest. */
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

function Step({ step }: { step: RunStep }) {
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
        {step.attempts > 1 && <div className={css.outcome}>Attempt {step.attempts}</div>}
        {step.observed_after_crash && (
          <div className={css.outcome}>
            Resumed after an interruption; the node was rechecked first
          </div>
        )}
      </div>
      <div className={css.took}>
        <StepDuration step={step} />
      </div>
    </li>
  );
}

/** The steps with their state, and the line after which aborting is refused. */
export function RunSteps({ run }: { run: Run }) {
  const lineAt = run.steps.find((step) => step.point_of_no_return)?.index;
  return (
    <ol>
      {run.steps.map((step) => (
        <Fragment key={step.index}>
          {step.index === lineAt && (
            <li className={css.wall}>
              <span>
                <Term of="point of no return" />
                {run.point_of_no_return_passed && ", passed"}
              </span>
            </li>
          )}
          <Step step={step} />
        </Fragment>
      ))}
    </ol>
  );
}
