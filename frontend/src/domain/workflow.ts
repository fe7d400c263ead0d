/**
 * The guided flow as one table: which pages there are, in which order, and what each of them
 * needs before it can be opened. Pages ask this table; none compares states by itself.
 */
export type WorkflowStep =
  | "situation"
  | "target"
  | "checks"
  | "proof"
  | "plan"
  | "confirm"
  | "run"
  | "result";

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

/** Why the page cannot be opened, in a sentence; null when it can. */
const GUARDS: Record<WorkflowStep, (s: WorkflowState) => string | null> = {
  situation: (s) => (s.linkId ? null : "No link is chosen."),
  target: (s) => (s.linkId ? null : "No link is chosen."),
  checks: (s) => (s.linkId ? null : "No link is chosen."),
  proof: (s) => (s.plan ? null : "The checks have not been made yet."),
  plan: (s) => (s.plan ? null : "The checks have not been made yet."),
  confirm: (s) => {
    if (!s.plan) return "There is no plan yet.";
    if (s.plan.state === "refused")
      return "The plan is refused: what it names must be put right first.";
    if (s.plan.state === "expired") return "The plan has expired: its facts are too old to act on.";
    if (s.plan.state === "used") return "The plan has been used: it has its run.";
    return null;
  },
  run: (s) => (s.run ? null : "Nothing has been started."),
  result: (s) => {
    if (!s.run) return "Nothing has been started.";
    return isRunFinished(s.run.state) ? null : "The run has not ended.";
  },
};

/** The guard's sentence for one page, or null when the page may be opened. */
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

/** No dead steps: cleaning has nothing to choose and nowhere to resume, a start and going home nothing to choose. */
const SKIPPED: Record<string, readonly WorkflowStep[]> = {
  start_channel: ["target"],
  remove_stray_channel: ["target", "proof"],
  failback: ["target"],
  accept_state_uuid: ["target"],
};

const stepsOf = (kind: string) =>
  WORKFLOW_STEPS.filter(({ step }) => !SKIPPED[kind]?.includes(step));

/** The page before (-1) or after (+1) one, for a kind; the page itself at either end. */
export function adjacentStep(kind: string, step: WorkflowStep, by: -1 | 1): WorkflowStep {
  const flow = stepsOf(kind);
  return flow[flow.findIndex((entry) => entry.step === step) + by]?.step ?? step;
}

/** A refused plan is read further, but nothing behind its checks is done. */
function pastStepState(step: WorkflowStep, state: WorkflowState): StepState["state"] {
  if (state.plan?.state !== "refused" || step === "situation" || step === "target") return "done";
  return step === "checks" ? "refused" : "ahead";
}

/** The stepper as data: what is behind, what is now, what may be opened. */
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
