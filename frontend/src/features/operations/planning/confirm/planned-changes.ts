import type { Plan } from "@/api/types";
import { stripNodePrefix } from "@/domain/step-title";

export interface PlannedChange {
  key: number;
  nodes: string[];
  title: string;
  isPointOfNoReturn: boolean;
}

/** The changes of a plan in their order. The same change on one node after another is one entry. */
export function plannedChanges(plan: Plan): PlannedChange[] {
  const changes: PlannedChange[] = [];
  for (const step of plan.steps) {
    if (step.effect.kind === "reads" && !step.point_of_no_return) continue;
    const title = stripNodePrefix(step.title, step.node);
    const last = changes.at(-1);
    if (last && step.node && last.title === title && !step.point_of_no_return)
      last.nodes.push(step.node);
    else
      changes.push({
        key: step.index,
        nodes: [step.node ?? "Hawser"],
        title,
        isPointOfNoReturn: step.point_of_no_return,
      });
  }
  return changes;
}
