import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { registrationQuery } from "@/api/resources/registrations";
import type { Registration } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { RequirePermission } from "@/components/RequirePermission";
import { useCurrentUser } from "@/components/use-session";
import { Stepper, type StepperItem } from "@/ui/Stepper";
import { LinkStep } from "./link/LinkStep";
import { OwnerCallout } from "./OwnerCallout";
import css from "./Registrations.module.css";
import { RehearsalStep } from "./review/RehearsalStep";
import { ReviewStep } from "./review/ReviewStep";
import { SideStep } from "./side/SideStep";
import { firstOpenStep, isDone, isSide, STEP_LABELS, STEPS, type Step } from "./steps";

function stepperItems(draft: Registration, now: Step): StepperItem[] {
  return STEPS.map((step) => ({
    key: step,
    label: STEP_LABELS[step],
    state: step === now ? "now" : isDone(draft, step) ? "done" : "ahead",
    wrap: (inner, className) => (
      <AppLink
        to="/registrations/$registrationId"
        params={{ registrationId: draft.id }}
        search={{ step }}
        className={className}
      >
        {inner}
      </AppLink>
    ),
  }));
}

function StepContent({ draft, step }: { draft: Registration; step: Step }) {
  if (isSide(step)) return <SideStep key={step} draft={draft} side={step} />;
  if (step === "link") return <LinkStep draft={draft} />;
  return step === "review" ? <ReviewStep draft={draft} /> : <RehearsalStep draft={draft} />;
}

/** One guided registration: its steps can be opened in any order, and survive a reload. */
export function GuidePage() {
  const { registrationId } = useParams({ from: "/shell/registrations/$registrationId" });
  const { step: asked } = useSearch({ from: "/shell/registrations/$registrationId" });
  return (
    <RequirePermission permission="register" action="register clusters and links">
      <Guide registrationId={registrationId} asked={asked} />
    </RequirePermission>
  );
}

function Guide({ registrationId, asked }: { registrationId: string; asked: Step | undefined }) {
  const query = useQuery(registrationQuery(registrationId));
  return (
    <QueryBoundary<Registration>
      query={query}
      label="the guided registration"
      heading="Guided registration"
    >
      {(draft) => <GuideSteps key={draft.id} draft={draft} asked={asked} />}
    </QueryBoundary>
  );
}

function GuideSteps({ draft, asked }: { draft: Registration; asked: Step | undefined }) {
  const [beginning] = useState(() => firstOpenStep(draft));
  const step = asked ?? beginning;
  const user = useCurrentUser();
  const isForeign = draft.link_id === null && user?.username !== draft.owner;
  return (
    <>
      <PageHeader title={`Register ${draft.title}`} />
      <div className={css.steps}>
        <Stepper label="Steps of the registration" items={stepperItems(draft, step)} />
      </div>
      {isForeign && <OwnerCallout draft={draft} />}
      <fieldset className={css.content} disabled={isForeign}>
        <StepContent draft={draft} step={step} />
      </fieldset>
    </>
  );
}
