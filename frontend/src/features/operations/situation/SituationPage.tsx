import type { LinkDetail, PlanKind, PlanRequest } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ButtonLink } from "@/components/ButtonLink";
import { DataAge } from "@/components/DataAge";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { FindingList } from "@/components/FindingList";
import { ProblemAlert } from "@/components/ProblemAlert";
import { QueryBoundary } from "@/components/QueryBoundary";
import { TopologyDiagram } from "@/components/topology/TopologyDiagram";
import { useDataAge } from "@/components/use-data-age";
import { firstStepLink, planChecksLink, type StepLink } from "@/components/workflow/step-link";
import { WorkflowLayout } from "@/components/workflow/WorkflowLayout";
import { describeStale, isStale } from "@/domain/freshness";
import { OPERATIONS, operationTitle, type Participants } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { statusFor } from "@/domain/status";
import { reasonToSend } from "@/features/operations/plan/plan-script";
import { useCreatePlan, useWorkflowParams } from "@/features/operations/shared/use-create-plan";
import { pluralize } from "@/lib/format/number";
import { formatEstimate } from "@/lib/format/time";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Situation.module.css";

interface NextProps {
  link: LinkDetail;
  kind: PlanKind;
  participants: Participants;
  because: string | null;
  targetLink: StepLink;
}

/** An act with something to choose goes on to its target; one without is planned at once. */
function Next({ link, kind, participants, because, targetLink }: NextProps) {
  const planning = useCreatePlan(link.id, planChecksLink);
  const words = OPERATIONS[kind];
  const suggested = link.primary_action?.kind === kind ? link.primary_action.url_options : {};
  const wish: PlanRequest = { kind, reason: reasonToSend(""), options: suggested };
  if (words.choose !== null)
    return (
      <DisabledReasonButton disabledReason={because} link={targetLink}>
        {words.choose}
      </DisabledReasonButton>
    );
  return (
    <>
      {planning.isError && <ProblemAlert error={planning.error} action="Planning" />}
      <DisabledReasonButton
        disabledReason={because}
        onClick={() => planning.create(wish)}
        loading={planning.isPending}
      >
        {words.check(participants)}
      </DisabledReasonButton>
    </>
  );
}

/** What the act does and costs, and whether it could be done now. */
function WhatItDoes(props: {
  link: LinkDetail;
  kind: PlanKind;
  participants: Participants;
  stale: boolean;
}) {
  const { link, kind, participants, stale } = props;
  const words = OPERATIONS[kind];
  const readiness = link.readiness[kind];
  const status = statusFor("readiness", stale ? "unknown" : (readiness?.state ?? "unknown"));
  const expected = stale || readiness?.state !== "ready" ? null : readiness.estimate_s;
  return (
    <Panel title={`What a ${words.noun.toLowerCase()} does`}>
      <ol className={css.does}>
        {words.description(participants).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      <p className="dim note">{words.impact(participants)}</p>
      <div className={css.ready}>
        <StatusChip tone={status.tone}>{status.word}</StatusChip>
        <span>
          {stale ? "The facts are too old to say." : (readiness?.sentence ?? "Not checked yet.")}
          {expected !== null && ` Expected: ${formatEstimate(expected)}.`}
        </span>
      </div>
    </Panel>
  );
}

interface SituationProps {
  link: LinkDetail;
  readAt: number;
  kind: PlanKind;
  targetLink: StepLink;
}

function Situation({ link, readAt, kind, targetLink }: SituationProps) {
  const age = useDataAge(link.age_s, readAt);
  const stale = isStale(age);
  const participants = currentParticipants(kind, link);
  const because = link.active_run
    ? "A run is under way on this link."
    : stale
      ? "The facts are older than 5 s; wait until they are read again."
      : null;
  return (
    <WorkflowLayout
      title={operationTitle(kind, participants)}
      location={{ step: "situation", kind, linkId: link.id, plan: null, run: null }}
      right={<DataAge ageS={age} />}
    >
      <Callout
        tone={stale ? "unknown" : statusFor("link", link.state).tone}
        stale={stale}
        title={describeStale(link.sentence, age)}
        description={link.detail}
        actions={
          <>
            <ButtonLink variant="default" to="/links/$linkId" params={{ linkId: link.id }}>
              Back to the link
            </ButtonLink>
            <Next
              link={link}
              kind={kind}
              participants={participants}
              because={because}
              targetLink={targetLink}
            />
          </>
        }
      />
      {link.active_run && (
        <Callout
          tone="info"
          title="A run is already under way on this link."
          actions={
            <AppLink to="/runs/$runId" params={{ runId: link.active_run.id }}>
              Watch it
            </AppLink>
          }
        />
      )}
      <div className="with-aside">
        <Panel title="How it stands">
          <div className={stale ? "stale" : undefined}>
            <TopologyDiagram link={link} ageS={age} stale={stale} />
          </div>
        </Panel>
        <div className="stack">
          <WhatItDoes link={link} kind={kind} participants={participants} stale={stale} />
          <Panel title="What is found" aside={pluralize(link.findings.length, "finding")}>
            <div className={stale ? "stale" : undefined}>
              <FindingList findings={link.findings} />
            </div>
          </Panel>
        </div>
      </div>
    </WorkflowLayout>
  );
}

export function SituationPage() {
  const { linkId, search, query, kind } = useWorkflowParams("situation");
  const { source_node, replica_node, orphans } = search;
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link">
      {(link) => (
        <Situation
          link={link}
          readAt={query.dataUpdatedAt}
          kind={kind}
          targetLink={firstStepLink("target", linkId, kind, { source_node, replica_node, orphans })}
        />
      )}
    </QueryBoundary>
  );
}
