import type { ReactNode } from "react";
import { AppLink } from "@/components/AppLink";
import { PageHeader } from "@/components/PageHeader";
import { type WorkflowStep, workflowSteps } from "@/domain/workflow";
import { Stepper, type StepperItem } from "@/ui/Stepper";

export interface WorkflowLocation {
  step: WorkflowStep;
  kind: string;
  linkId: string | null;
  plan: { id: string; state: "ready" | "refused" | "expired" | "used" } | null;
  run: { id: string; state: string } | null;
}

/** Where each step of the flow lives. */
function stepPath(step: WorkflowStep, place: WorkflowLocation): string | null {
  const { linkId, plan, run, kind } = place;
  switch (step) {
    case "situation":
    case "target":
      return linkId && `/links/${linkId}/${kind}/${step}`;
    case "checks":
      return linkId && `/links/${linkId}/${kind}/checks${plan ? `?plan=${plan.id}` : ""}`;
    case "proof":
    case "plan":
    case "confirm":
      return plan && `/plans/${plan.id}/${step}`;
    case "run":
      return run && `/runs/${run.id}`;
    case "result":
      return run && `/runs/${run.id}/result`;
  }
}

function items(place: WorkflowLocation): StepperItem[] {
  return workflowSteps(place.step, place, place.kind).map((crumb) => {
    const address =
      crumb.blocked === null && crumb.state !== "now" ? stepPath(crumb.step, place) : null;
    const base = { key: crumb.step, label: crumb.label, state: crumb.state };
    if (!address) return base;
    return {
      ...base,
      wrap: (inner, className) => (
        <AppLink to={address} className={className}>
          {inner}
        </AppLink>
      ),
    };
  });
}

/** The head of every page of the guided flow. */
export function WorkflowLayout(props: {
  title: string;
  place: WorkflowLocation;
  chips?: ReactNode;
  right?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <PageHeader title={props.title} right={props.right}>
        {props.chips}
      </PageHeader>
      <Stepper label="Steps of this act" items={items(props.place)} />
      <div className="stack">{props.children}</div>
    </>
  );
}
