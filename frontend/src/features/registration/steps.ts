import type { Registration, RegistrationPart, RegistrationSide } from "@/api/types";

export const STEPS = ["first", "second", "link", "review", "rehearsal"] as const;
export type Step = (typeof STEPS)[number];

export const STEP_LABELS: Record<Step, string> = {
  first: "First cluster",
  second: "Second cluster",
  link: "Link",
  review: "Review and register",
  rehearsal: "First rehearsal",
};

export const isSide = (step: Step): step is RegistrationSide =>
  step === "first" || step === "second";

const mustBeFixed = (draft: Registration, part: RegistrationPart) =>
  draft.open_points.some((point) => point.side === part && point.must);

/** Whether nothing of a step refuses the registration. */
export function isDone(draft: Registration, step: Step): boolean {
  if (draft.link_id !== null) return step !== "rehearsal";
  return (isSide(step) || step === "link") && !mustBeFixed(draft, step);
}

/** The first step with something to do: where a registration is continued. */
export const firstOpenStep = (draft: Registration): Step =>
  STEPS.find((step) => !isDone(draft, step)) ?? "rehearsal";

/** The name of a part of a registration, as it was typed. */
export const partName = (draft: Registration, part: RegistrationPart): string =>
  part === "link" ? "Link" : draft[part].name || STEP_LABELS[part];
