import { createContext, type ReactNode, useContext } from "react";
import type { Plan, Preferences } from "@/api/types";
import { planChecksLink, planOnePageLink, planPageLink, type StepLink } from "./step-link";

type PlanRef = Pick<Plan, "id" | "link_id" | "kind">;
type PlanStepName = "checks" | "proof" | "plan" | "confirm";

/** Whether a section stands on the page of its step or on the one page of all steps. */
export const WorkflowViewContext = createContext<Preferences["workflow_view"]>("steps");

export const useIsOnePage = (): boolean => useContext(WorkflowViewContext) === "page";

/** What only the page of one step needs: the one page has it in another section. */
export function StepsOnly({ children }: { children: ReactNode }): ReactNode {
  return useIsOnePage() ? null : children;
}

/** Where a new plan is shown: at this step, in the view that the reader is in. */
export function usePlanLink(step: PlanStepName): (plan: PlanRef) => StepLink {
  const isOnePage = useIsOnePage();
  return (plan) => {
    if (isOnePage) return planOnePageLink(plan.id, step);
    return step === "checks" ? planChecksLink(plan) : planPageLink(step, plan.id);
  };
}
