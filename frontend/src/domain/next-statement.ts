/** Which statement is sent next: the first one of a plan, or that of the step a run is at. */
import type { Plan, PlanStep, Run } from "@/api/types";

export interface NumberedStep {
  step: PlanStep;
  /** As the plan counts its steps: from one. */
  number: number;
}

/** The first step of a plan that sends a statement or calls something; null where none does. */
export function firstChange(plan: Pick<Plan, "steps">): NumberedStep | null {
  const at = plan.steps.findIndex((step) => step.effect.kind !== "reads");
  const step = plan.steps[at];
  return step ? { step, number: at + 1 } : null;
}

/** The step after which nothing is undone; null where every step can be. */
export function pointOfNoReturn(plan: Pick<Plan, "steps">): NumberedStep | null {
  const at = plan.steps.findIndex((step) => step.point_of_no_return);
  const step = plan.steps[at];
  return step ? { step, number: at + 1 } : null;
}

/** The step of its plan that a run takes next: the first that has not begun. */
export function nextStep(run: Pick<Run, "steps">, plan: Pick<Plan, "steps">): NumberedStep | null {
  const pending = run.steps.find((step) => step.state === "pending");
  const at = plan.steps.findIndex((step) => step.index === pending?.index);
  const step = plan.steps[at];
  return step ? { step, number: at + 1 } : null;
}

/** Effects that an abort has to set back, and would not without a statement for it. */
const LASTING = new Set(["stops_writes", "allows_writes", "changes_channel", "changes_setting"]);

/** Whether a step changes servers and an abort leaves that, as of a fence that is to stay. */
const leavesChange = ({ sql, undo, effect }: PlanStep): boolean =>
  sql.length > 0 && undo.length === 0 && LASTING.has(effect.kind);

/** What an abort does with a plan that has no point of no return. */
export const abortSentence = ({ steps }: Pick<Plan, "steps">): string =>
  steps.some(leavesChange)
    ? "No point of no return. An abort stops the run and leaves what was changed."
    : "No point of no return: every step can be undone.";

/** Whether an abort can still take a step back, in a sentence. */
export function undoSentence(plan: Pick<Plan, "steps">, { step, number }: NumberedStep): string {
  const boundary = pointOfNoReturn(plan);
  const isFinal = boundary !== null && number >= boundary.number;
  if (step.effect.kind === "reads") return "Nothing to undo.";
  if (isFinal)
    return number === boundary.number
      ? "No: this is the point of no return."
      : "No: it is after the point of no return.";
  if (leavesChange(step)) return "No: an abort leaves it as it is.";
  if (step.undo.length === 0) return "Nothing to undo.";
  return "Yes: an abort undoes it.";
}
