/**
 * The guided workflow as one table: its pages, their order, and what each of them needs before
 * it can be opened. Pages read this table; none compares states itself.
 */
import { KINDS, kindOf, type WorkflowStep } from "./operation-kinds";

export type { WorkflowStep };

export interface WorkflowState {
  linkId: string | null;
  plan: { id: string; state: "ready" | "refused" | "expired" | "used" } | null;
  run: { id: string; state: string } | null;
}

export const WORKFLOW_STEPS: readonly { step: WorkflowStep; label: string }[] = [
  { step: "situation", label: "Situation" },
  { step: "target", label: "Target" },
  { step: "checks", label: "Checks" },
  { step: "proof", label: "Proof" },
  { step: "plan", label: "Plan" },
  { step: "confirm", label: "Confirm" },
  { step: "run", label: "Run" },
  { step: "result", label: "Result" },
];

const FINISHED = new Set(["succeeded", "failed", "aborted", "needs_operator"]);

export const isRunFinished = (state: string): boolean => FINISHED.has(state);

/** Why a page cannot be opened; null when it can. */
const GUARDS: Record<WorkflowStep, (s: WorkflowState) => string | null> = {
  situation: (s) => (s.linkId ? null : "No link is chosen."),
  target: (s) => (s.linkId ? null : "No link is chosen."),
  checks: (s) => (s.linkId ? null : "No link is chosen."),
  proof: (s) => (s.plan ? null : "Run the checks first."),
  plan: (s) => (s.plan ? null : "Run the checks first."),
  confirm: (s) => {
    if (!s.plan) return "There is no plan yet.";
    if (s.plan.state === "refused")
      return "This plan was refused. Resolve its blockers and plan again.";
    if (s.plan.state === "expired") return "This plan has expired. Plan again.";
    if (s.plan.state === "used") return "This plan was already run. Plan again.";
    return null;
  },
  run: (s) => (s.run ? null : "No run has been started."),
  result: (s) => {
    if (!s.run) return "No run has been started.";
    return isRunFinished(s.run.state) ? null : "The run has not ended yet.";
  },
};

/** Why a page cannot be opened, as a sentence; null when it can. */
export function stepBlockedReason(step: WorkflowStep, state: WorkflowState): string | null {
  return GUARDS[step](state);
}

export interface StepState {
  step: WorkflowStep;
  label: string;
  state: "done" | "refused" | "now" | "ahead";
  /** Null: may be opened. */
  blocked: string | null;
}

/** The pages that a kind has; an unknown one has all. */
const stepsOf = (name: string) => {
  const kind = kindOf(name);
  const skips: readonly WorkflowStep[] = kind ? KINDS[kind].skips : [];
  return WORKFLOW_STEPS.filter(({ step }) => !skips.includes(step));
};

/** The page before (-1) or after (+1) one, for a kind; the page itself at either end. */
export function adjacentStep(kind: string, step: WorkflowStep, by: -1 | 1): WorkflowStep {
  const flow = stepsOf(kind);
  return flow[flow.findIndex((entry) => entry.step === step) + by]?.step ?? step;
}

/** The last step that there is something to show of. */
function lastShownStep(kind: string, { plan, run }: WorkflowState): WorkflowStep {
  if (run) return isRunFinished(run.state) ? "result" : "run";
  return plan ? "confirm" : adjacentStep(kind, "checks", -1);
}

/** The steps that one page shows of an operation: more as its plan is made and run. */
export function shownSteps(kind: string, state: WorkflowState): WorkflowStep[] {
  const steps = stepsOf(kind).map(({ step }) => step);
  return steps.slice(0, steps.indexOf(lastShownStep(kind, state)) + 1);
}

/** The step that an operation waits at. */
export function pendingStep(kind: string, state: WorkflowState): WorkflowStep {
  return state.plan?.state === "refused" ? "checks" : lastShownStep(kind, state);
}

/** A refused plan can be read further, but no step after its checks is done. */
function pastStepState(step: WorkflowStep, state: WorkflowState): StepState["state"] {
  if (state.plan?.state !== "refused" || step === "situation" || step === "target") return "done";
  return step === "checks" ? "refused" : "ahead";
}

/** The stepper as data: the state of each step, and whether its page can be opened. */
export function workflowSteps(
  now: WorkflowStep,
  state: WorkflowState,
  kind = "relocate",
): StepState[] {
  const flow = stepsOf(kind);
  const at = flow.findIndex((entry) => entry.step === now);
  return flow.map(({ step, label }, index) => ({
    step,
    label,
    state: index < at ? pastStepState(step, state) : index === at ? "now" : "ahead",
    blocked: stepBlockedReason(step, state),
  }));
}
