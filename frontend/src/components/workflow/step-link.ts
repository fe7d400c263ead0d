/** The address of each page of the guided workflow, as a typed link. */
import type { LinkProps } from "@tanstack/react-router";
import type { Plan } from "@/api/types";
import type { OrphanStrategy } from "@/domain/operations";
import type { WorkflowStep } from "@/domain/workflow";

export type StepLink = Pick<LinkProps, "to" | "params" | "search" | "hash">;

/** What the address of the first pages selects. */
export interface Choices {
  source_node?: string | undefined;
  replica_node?: string | undefined;
  orphans?: OrphanStrategy | undefined;
}

type FirstStep = "situation" | "target";

/** The page that shows the situation, or the one that chooses the target. */
export const firstStepLink = (
  step: FirstStep,
  linkId: string,
  kind: string,
  choices: Choices = {},
): StepLink => ({
  to: step === "situation" ? "/links/$linkId/$kind/situation" : "/links/$linkId/$kind/target",
  params: { linkId, kind },
  search: choices,
});

const checksLink = (linkId: string, kind: string, planId?: string): StepLink => ({
  to: "/links/$linkId/$kind/checks",
  params: { linkId, kind },
  search: { plan: planId },
});

/** The checks of a plan. */
export const planChecksLink = (plan: Pick<Plan, "id" | "link_id" | "kind">): StepLink =>
  checksLink(plan.link_id, plan.kind, plan.id);

export interface WorkflowLocation {
  step: WorkflowStep;
  kind: string;
  linkId: string | null;
  plan: { id: string; state: "ready" | "refused" | "expired" | "used" } | null;
  run: { id: string; state: string } | null;
}

const PLAN_PAGES = {
  proof: "/plans/$planId/proof",
  plan: "/plans/$planId/plan",
  confirm: "/plans/$planId/confirm",
} as const;
const RUN_PAGES = { run: "/runs/$runId", result: "/runs/$runId/result" } as const;

export const planPageLink = (step: keyof typeof PLAN_PAGES, planId: string): StepLink => ({
  to: PLAN_PAGES[step],
  params: { planId },
});

const runPageLink = (step: keyof typeof RUN_PAGES, runId: string): StepLink => ({
  to: RUN_PAGES[step],
  params: { runId },
});

/** All steps of a plan on one page, at one of them. */
export const planOnePageLink = (planId: string, step: WorkflowStep): StepLink => ({
  to: "/plans/$planId/all",
  params: { planId },
  hash: step,
});

/** All steps of an operation on one page: those of its plan, or the first ones while there is none. */
export function onePageLink(location: WorkflowLocation, choices: Choices = {}): StepLink | null {
  const { linkId, plan, kind, step } = location;
  if (plan) return planOnePageLink(plan.id, step);
  if (linkId === null) return null;
  return { to: "/links/$linkId/$kind/all", params: { linkId, kind }, search: choices, hash: step };
}

/** The page of a step; null while what it shows does not exist. */
export function stepLink(step: WorkflowStep, location: WorkflowLocation): StepLink | null {
  const { linkId, plan, run, kind } = location;
  switch (step) {
    case "situation":
    case "target":
      return linkId === null ? null : firstStepLink(step, linkId, kind);
    case "checks":
      return linkId === null ? null : checksLink(linkId, kind, plan?.id);
    case "proof":
    case "plan":
    case "confirm":
      return plan && planPageLink(step, plan.id);
    case "run":
    case "result":
      return run && runPageLink(step, run.id);
  }
}
