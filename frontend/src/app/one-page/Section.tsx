import { type ReactNode, useId } from "react";
import { WORKFLOW_STEPS, type WorkflowStep } from "@/domain/workflow";
import { PanelHeadingContext } from "@/ui/Panel";
import css from "./OnePage.module.css";

const labelOf = (step: WorkflowStep) =>
  WORKFLOW_STEPS.find((entry) => entry.step === step)?.label ?? step;

/** One step of an operation on the page of all of them; its address is the page's with the step as hash. */
export function Section({ step, children }: { step: WorkflowStep; children: ReactNode }) {
  const headingId = useId();
  return (
    <section id={step} data-step={step} className={css.section} aria-labelledby={headingId}>
      <h2 id={headingId} className={css.heading} tabIndex={-1}>
        {labelOf(step)}
      </h2>
      <div className="stack">
        <PanelHeadingContext value="h3">{children}</PanelHeadingContext>
      </div>
    </section>
  );
}
