import type { LinkDetail, PlanKind } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ButtonLink } from "@/components/ButtonLink";
import { FindingList } from "@/components/FindingList";
import { TopologyDiagram } from "@/components/topology/TopologyDiagram";
import type { StepLink } from "@/components/workflow/step-link";
import { describeStale, isStale, STALE_REASON } from "@/domain/freshness";
import { currentParticipants } from "@/domain/participants";
import { statusFor } from "@/domain/status";
import { useAgeOnceStale } from "@/features/operations/planning/shared/use-age-once-stale";
import { pluralize } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { NextStepButton } from "./NextStepButton";
import { OperationSteps } from "./OperationSteps";

const RUN_IN_PROGRESS = "A run is in progress on this link.";
const RETIRED = "This link is retired.";

/** Why no operation can be planned now; null where one can. */
function blockedReason(link: LinkDetail, stale: boolean): string | null {
  if (link.retired_at !== null) return RETIRED;
  if (link.active_run) return RUN_IN_PROGRESS;
  return stale ? STALE_REASON : null;
}

function ActiveRun({ runId }: { runId: string }) {
  return (
    <Callout
      tone="info"
      title={RUN_IN_PROGRESS}
      actions={
        <AppLink to="/runs/$runId" params={{ runId }}>
          View run
        </AppLink>
      }
    />
  );
}

interface SituationProps {
  link: LinkDetail;
  readAt: number;
  kind: PlanKind;
  /** The page that chooses the target; null where the next step is on this page. */
  targetLink: StepLink | null;
  /** A plan exists already: there is no next step to take here. */
  hasPlan?: boolean;
}

/** What is wrong with the link, and what the operation would do about it. */
export function SituationSection(props: SituationProps) {
  const { link, readAt, kind, targetLink, hasPlan = false } = props;
  const age = useAgeOnceStale(link.age_s, readAt);
  const stale = isStale(age);
  const participants = currentParticipants(kind, link);
  const shown = stale ? "stale" : undefined;
  return (
    <>
      <Callout
        tone={stale ? "unknown" : statusFor("link", link.state).tone}
        stale={stale}
        title={describeStale(link.sentence, age)}
        description={link.detail}
        actions={
          <>
            <ButtonLink variant="default" to="/links/$linkId" params={{ linkId: link.id }}>
              Back to link
            </ButtonLink>
            {!hasPlan && (
              <NextStepButton
                link={link}
                kind={kind}
                participants={participants}
                disabledReason={blockedReason(link, stale)}
                targetLink={targetLink}
              />
            )}
          </>
        }
      />
      {link.active_run && <ActiveRun runId={link.active_run.id} />}
      <div className="with-aside">
        <Panel title="Current topology">
          <div className={shown}>
            <TopologyDiagram link={link} ageS={age} stale={stale} />
          </div>
        </Panel>
        <div className="stack">
          <OperationSteps link={link} kind={kind} participants={participants} stale={stale} />
          <Panel title="Findings" aside={pluralize(link.findings.length, "finding")}>
            <div className={shown}>
              <FindingList findings={link.findings} />
            </div>
          </Panel>
        </div>
      </div>
    </>
  );
}
