import type { ReactNode } from "react";
import { type FlowStep, flowCrumbs } from "@/lib/flow";
import { Stepper, type StepperItem } from "@/ui/Stepper";
import { Go } from "./Go";
import { PageHeader } from "./PageHeader";

export interface FlowPlace {
  step: FlowStep;
  kind: string;
  linkId: string | null;
  plan: { id: string; state: "ready" | "refused" | "expired" | "used" } | null;
  run: { id: string; state: string } | null;
}

/** Where each step of the flow lives. */
function addressOf(step: FlowStep, place: FlowPlace): string | null {
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

function items(place: FlowPlace): StepperItem[] {
  return flowCrumbs(place.step, place, place.kind).map((crumb) => {
    const address =
      crumb.blocked === null && crumb.state !== "now" ? addressOf(crumb.step, place) : null;
    const base = { key: crumb.step, label: crumb.label, state: crumb.state };
    if (!address) return base;
    return {
      ...base,
      wrap: (inner, className) => (
        <Go to={address} className={className}>
          {inner}
        </Go>
      ),
    };
  });
}

/** The head of every page of the guided flow. */
export function FlowFrame(props: {
  title: string;
  place: FlowPlace;
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
