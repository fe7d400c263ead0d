import type { ReactNode } from "react";
import { AppLink } from "@/components/AppLink";
import { PageHeader } from "@/components/PageHeader";
import { onePageLink, type StepLink, type WorkflowLocation } from "@/components/workflow/step-link";
import { ViewSwitch } from "@/components/workflow/ViewSwitch";
import { shownSteps, type WorkflowStep, workflowSteps } from "@/domain/workflow";
import { Stepper, type StepperItem } from "@/ui/Stepper";
import css from "./OnePage.module.css";
import { useFocusedSection, useSectionInView } from "./use-sections";

function items(
  location: WorkflowLocation,
  shown: readonly WorkflowStep[],
  inView: WorkflowStep | undefined,
): StepperItem[] {
  return workflowSteps(location.step, location, location.kind).map(({ step, label, state }) => {
    const base = { key: step, label, state, isInView: step === inView };
    const link: StepLink | null = shown.includes(step) ? onePageLink({ ...location, step }) : null;
    if (!link) return base;
    return {
      ...base,
      wrap: (inner, className) => (
        <AppLink
          {...link}
          search
          className={className}
          aria-current={step === inView ? "location" : undefined}
        >
          {inner}
        </AppLink>
      ),
    };
  });
}

/** The frame of an operation on one page: its heading, and what stays in sight while the page scrolls. */
export function OnePageLayout(props: {
  title: string;
  /** Its step is the one that the operation waits at. */
  location: WorkflowLocation;
  summary: ReactNode;
  right?: ReactNode;
  children: ReactNode;
}) {
  const { title, location, summary, right, children } = props;
  const shown = shownSteps(location.kind, location);
  const inView = useSectionInView(shown);
  const named = useFocusedSection(shown);
  return (
    <>
      <PageHeader title={title} right={right}>
        <ViewSwitch location={{ ...location, step: named ?? location.step }} />
      </PageHeader>
      <div className={css.bar}>
        <section className={css.summary} aria-label="Summary">
          {summary}
        </section>
        <Stepper label="Sections of this page" items={items(location, shown, inView)} isCompact />
      </div>
      <div className={css.sections}>{children}</div>
    </>
  );
}
