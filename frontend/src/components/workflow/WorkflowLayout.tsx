import type { ReactNode } from "react";
import { AppLink } from "@/components/AppLink";
import { PageHeader } from "@/components/PageHeader";
import { workflowSteps } from "@/domain/workflow";
import { Stepper, type StepperItem } from "@/ui/Stepper";
import { stepLink, type WorkflowLocation } from "./step-link";
import { ViewSwitch } from "./ViewSwitch";
import css from "./WorkflowLayout.module.css";

function items(location: WorkflowLocation): StepperItem[] {
  return workflowSteps(location.step, location, location.kind).map((entry) => {
    const link =
      entry.blocked === null && entry.state !== "now" ? stepLink(entry.step, location) : null;
    const base = { key: entry.step, label: entry.label, state: entry.state };
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

/** The frame of every page of the guided workflow: its heading and its steps. */
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
      <div className={css.steps}>
        <Stepper label="Steps of this operation" items={items(props.location)} />
        <ViewSwitch location={props.location} />
      </div>
      <div className="stack">{props.children}</div>
    </>
  );
}
