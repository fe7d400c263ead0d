import type { Run } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { useDataAge } from "@/components/use-data-age";
import { useIsOnePage } from "@/components/workflow/workflow-view";
import { describeStale, isStale } from "@/domain/freshness";
import { statusFor } from "@/domain/status";
import { isRunFinished } from "@/domain/workflow";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { AbortPanel } from "./AbortPanel";
import { ApprovePanel } from "./ApprovePanel";
import { ExceptionPanel } from "./ExceptionPanel";
import { NextStepPanel } from "./NextStepPanel";
import { ResumePanel } from "./ResumePanel";
import css from "./Run.module.css";
import { RunRequestPanel } from "./RunRequestPanel";
import { RunSteps } from "./RunSteps";
import { StatementLog } from "./StatementLog";
import { TimeSpentPanel } from "./TimeSpentPanel";
import { WritePauseCallout } from "./WritePauseCallout";

/** Says that this page has no current data of the run. */
function StaleRunNotice({ run, readAt }: { run: Run; readAt: number }) {
  const age = useDataAge(0, readAt);
  if (isRunFinished(run.state) || !isStale(age)) return null;
  return (
    <Callout
      tone="unknown"
      title={describeStale(`${statusFor("run", run.state).word}.`, age)}
      description="This page shows the last known state. The run continues on the server."
    />
  );
}

function Ended({ run }: { run: Run }) {
  const isOnePage = useIsOnePage();
  if (!isRunFinished(run.state)) return null;
  return (
    <Callout
      live
      tone={statusFor("run", run.state).tone}
      title={run.outcome || statusFor("run", run.state).word}
      description={run.next_action}
      actions={
        !isOnePage && (
          <ButtonLink to="/runs/$runId/result" params={{ runId: run.id }}>
            View result
          </ButtonLink>
        )
      }
    />
  );
}

/** A run while it is in progress: its steps, its statements, and what the user can do. */
export function RunSection({ run, readAt }: { run: Run; readAt: number }) {
  return (
    <>
      <ExceptionPanel run={run} />
      <Ended run={run} />
      <StaleRunNotice run={run} readAt={readAt} />
      <ApprovePanel run={run} />
      <ResumePanel run={run} />
      <WritePauseCallout run={run} />
      <div className={css.columns}>
        <Panel
          title="Steps"
          aside={
            run.point_of_no_return_passed
              ? "point of no return passed"
              : "aborting restores the previous state until the point of no return"
          }
        >
          <RunSteps run={run} />
        </Panel>
        <div className="stack">
          <NextStepPanel run={run} />
          <StatementLog steps={run.steps} />
          <AbortPanel run={run} />
          <RunRequestPanel run={run} />
        </div>
      </div>
      {isRunFinished(run.state) && <TimeSpentPanel run={run} />}
    </>
  );
}
