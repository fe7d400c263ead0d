import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { linkQuery } from "@/api/resources/links";
import type { LinkDetail, PlanKind } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { WorkflowViewContext } from "@/components/workflow/workflow-view";
import { kindOf, operationLabel, operationTitle } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { statusFor } from "@/domain/status";
import { pendingStep, shownSteps } from "@/domain/workflow";
import { CurrentDataAge } from "@/features/operations/planning/shared/CurrentDataAge";
import { SituationSection } from "@/features/operations/planning/situation/SituationSection";
import { TargetSection } from "@/features/operations/planning/target/TargetSection";
import { StatusChip } from "@/ui/StatusChip";
import { OnePageLayout } from "./OnePageLayout";
import { Section } from "./Section";

const ADDRESS = "/shell/links/$linkId/$kind/all";

function Sections({ link, readAt, kind }: { link: LinkDetail; readAt: number; kind: PlanKind }) {
  const search = useSearch({ from: ADDRESS });
  const at = { linkId: link.id, plan: null, run: null };
  const status = statusFor("link", link.state);
  return (
    <OnePageLayout
      title={operationTitle(kind, currentParticipants(kind, link))}
      location={{ ...at, step: pendingStep(kind, at), kind }}
      right={<CurrentDataAge link={link} readAt={readAt} />}
      summary={
        <>
          <StatusChip tone={status.tone}>{status.word}</StatusChip>
          <span className="dim">No plan yet: nothing was checked.</span>
        </>
      }
    >
      {shownSteps(kind, at).map((step) => (
        <Section key={step} step={step}>
          {step === "target" ? (
            <TargetSection link={link} readAt={readAt} kind={kind} requested={search} />
          ) : (
            <SituationSection link={link} readAt={readAt} kind={kind} targetLink={null} />
          )}
        </Section>
      ))}
      <p className="dim">
        Checks, proof, plan and confirmation appear here once the plan is created.
      </p>
    </OnePageLayout>
  );
}

/** The first steps of an operation on one page, while it has no plan. */
export function LinkOnePage() {
  const { linkId, kind: name } = useParams({ from: ADDRESS });
  const query = useQuery(linkQuery(linkId));
  // The route accepts only known kinds.
  const kind = kindOf(name) ?? "relocate";
  return (
    <WorkflowViewContext value="page">
      <QueryBoundary<LinkDetail> query={query} label="the link" heading={operationLabel(kind)}>
        {(link) => <Sections key={kind} link={link} readAt={query.dataUpdatedAt} kind={kind} />}
      </QueryBoundary>
    </WorkflowViewContext>
  );
}
