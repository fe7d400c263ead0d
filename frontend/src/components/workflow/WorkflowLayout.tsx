import type { ReactNode } from "react";
import { AppLink } from "@/components/AppLink";
import { PageHeader } from "@/components/PageHeader";
import { workflowSteps } from "@/domain/workflow";
import { Stepper, type StepperItem } from "@/ui/Stepper";
import { stepLink, type WorkflowLocation } from "./step-link";

function items(location: WorkflowLocation): StepperItem[] {
  return workflowSteps(location.step, location, location.kind).map((crumb) => {
    const link =
      crumb.blocked === null && crumb.state !== "now" ? stepLink(crumb.step, location) : null;
    const base = { key: crumb.step, label: crumb.label, state: crumb.state };
    if (!link) return base;
    return {
      ...base,
      wrap: (inner, className) => (
        <AppLink {...link} className={className}>
          {inner}
        </AppLink>
      ),
    };
  });
}

/** The head of every page of the guided flow. */
export function WorkflowLayout(props: {
  title: string;
  location: WorkflowLocation;
  chips?: ReactNode;
  right?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <PageHeader title={props.title} right={props.right}>
        {props.chips}
      </PageHeader>
      <Stepper label="Steps of this operation" items={items(props.location)} />
      <div className="stack">{props.children}</div>
    </>
  );
}
