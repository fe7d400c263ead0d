import { Fragment } from "react";
import type { Plan, PlanStep } from "@/api/types";
import { stripNodePrefix } from "@/domain/step-title";
import { QUIET_CHANGES } from "@/features/operations/confirm/quiet-changes";
import { SqlBlock } from "@/ui/SqlBlock";
import css from "./Plan.module.css";

function Undo({ step, past }: { step: PlanStep; past: boolean }) {
  if (step.undo.length === 0)
    return step.sql.length === 0 ? null : (
      <div className={css.none}>
        {past ? "Past the point of no return: not undone." : "Needs no undoing."}
      </div>
    );
  return (
    <details className={css.undo}>
      <summary>How it is undone</summary>
      <SqlBlock statements={step.undo} label={`the undo of step ${step.index + 1}`} />
    </details>
  );
}

function Step({ step, number, past }: { step: PlanStep; number: number; past: boolean }) {
  return (
    <li className={css.step}>
      <span className={css.number}>{number}</span>
      <div>
        <div className={css.head}>
          <span className={css.title}>{stripNodePrefix(step.title, step.node)}</span>
          {step.node && <span className={css.node}>{step.node}</span>}
        </div>
        {step.sql.length > 0 ? (
          <SqlBlock statements={step.sql} label={`step ${number}`} />
        ) : (
          <div className={css.none}>
            {QUIET_CHANGES[step.code] ?? "Reads only; changes nothing."}
          </div>
        )}
        <Undo step={step} past={past} />
      </div>
    </li>
  );
}

/** The steps in the order they run, with the literal statements and the point of no return between them. */
export function PlanSteps({ plan }: { plan: Plan }) {
  const wall = plan.steps.findIndex((step) => step.point_of_no_return);
  return (
    <ol>
      {plan.steps.map((step, position) => (
        <Fragment key={step.index}>
          {position === wall && (
            <li className={css.wall}>point of no return: before this, abort restores everything</li>
          )}
          <Step step={step} number={position + 1} past={wall !== -1 && position >= wall} />
        </Fragment>
      ))}
    </ol>
  );
}
