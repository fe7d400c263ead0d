import { Fragment } from "react";
import type { Plan, PlanStep } from "@/api/types";
import { Term } from "@/components/Term";
import { stripNodePrefix } from "@/domain/step-title";
import { SqlBlock } from "@/ui/SqlBlock";
import css from "./Plan.module.css";

function Undo({ step, isFinal }: { step: PlanStep; isFinal: boolean }) {
  if (step.undo.length === 0)
    return step.sql.length === 0 ? null : (
      <div className={css.none}>{isFinal ? "Cannot be undone." : "No undo needed."}</div>
    );
  return (
    <details className={css.undo}>
      <summary>Undo</summary>
      <SqlBlock statements={step.undo} label={`the undo of step ${step.index + 1}`} />
    </details>
  );
}

function Step({ step, number, isFinal }: { step: PlanStep; number: number; isFinal: boolean }) {
  return (
    <li className={css.step}>
      <span className={css.number}>{number}</span>
      <div>
        <div className={css.head}>
          <span className={css.title}>{stripNodePrefix(step.title, step.node)}</span>
          {step.node && <span className={css.node}>{step.node}</span>}
        </div>
        {step.sql.length > 0 && (
          <SqlBlock statements={step.sql} label={`the statements of step ${number}`} />
        )}
        <div className={css.none}>
          {step.effect.sentence}
          {step.proof && ` Proven before the next step: ${step.proof.claim}.`}
        </div>
        <Undo step={step} isFinal={isFinal} />
      </div>
    </li>
  );
}

/** The steps in their order, with their statements and the point of no return between them. */
export function PlanSteps({ plan }: { plan: Plan }) {
  const boundary = plan.steps.findIndex((step) => step.point_of_no_return);
  return (
    <ol>
      {plan.steps.map((step, position) => (
        <Fragment key={step.index}>
          {position === boundary && (
            <li className={css.boundary}>
              <span>
                <Term of="point of no return" />: aborting restores everything only before this step
              </span>
            </li>
          )}
          <Step
            step={step}
            number={position + 1}
            isFinal={boundary !== -1 && position >= boundary}
          />
        </Fragment>
      ))}
    </ol>
  );
}
