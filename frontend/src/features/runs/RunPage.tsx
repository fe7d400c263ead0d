import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { runQuery } from "@/api/resources/runs";
import type { Run } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ButtonLink } from "@/components/ButtonLink";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { useDataAge } from "@/components/use-data-age";
import { useServerTime } from "@/components/use-server-time";
import { describeStale, isStale } from "@/domain/freshness";
import { statusFor } from "@/domain/status";
import { isRunFinished } from "@/domain/workflow";
import { formatDuration } from "@/lib/format/time";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { ApprovePanel } from "./ApprovePanel";
import css from "./Run.module.css";
import { AbortPanel, ResumePanel } from "./RunActions";
import { RunLayout, useRunParticipants } from "./RunLayout";
import { RunSteps } from "./RunSteps";
import { StatementLog } from "./StatementLog";
import { writePause } from "./write-pause";

function Ended({ run }: { run: Run }) {
  if (!isRunFinished(run.state)) return null;
  return (
    <Callout
      live
      tone={statusFor("run", run.state).tone}
      title={run.outcome || statusFor("run", run.state).word}
      description={run.next_action}
      actions={
        <ButtonLink to="/runs/$runId/result" params={{ runId: run.id }}>
          See the result
        </ButtonLink>
      }
    />
  );
}

/** While nobody can write, the clock that counts is this one. */
function WritePause({ run, nowMs }: { run: Run; nowMs: number }) {
  const participants = useRunParticipants(run);
  const pause = writePause(run, nowMs);
  if (!pause || isRunFinished(run.state)) return null;
  return (
    <Callout
      tone={pause.open ? "warn" : "ok"}
      title={
        pause.open
          ? `Writes are paused for ${formatDuration(pause.ms / 1000)}: ${participants.from ?? "the old side"} is fenced, ${participants.to ?? "the new side"} is not open yet.`
          : `${participants.to ?? "The new side"} takes writes; they were paused for ${formatDuration(pause.ms / 1000)}.`
      }
    />
  );
}

/** A run goes on whether or not this page hears of it. */
function StaleRunNotice({ run, readAt }: { run: Run; readAt: number }) {
  const age = useDataAge(0, readAt);
  if (isRunFinished(run.state) || !isStale(age)) return null;
  return (
    <Callout
      tone="unknown"
      title={describeStale(`${statusFor("run", run.state).word}.`, age)}
      description="What follows is what was read then; the run goes on by itself."
    />
  );
}

function Who({ run }: { run: Run }) {
  return (
    <Panel title="Who">
      <p>
        {run.requested_by} started this <Timestamp at={run.created_at} />
        {run.reason && `: “${run.reason}”`}
      </p>
      {run.approvals.map((approval) => (
        <p key={`${approval.round}${approval.at}`}>
          {approval.approver}{" "}
          {approval.is_exception ? "let it begin without a second person" : "approved it"}{" "}
          <Timestamp at={approval.at} />: “{approval.comment}”
        </p>
      ))}
      <p className="dim">
        request <code>{run.request_id}</code> · epoch {run.epoch} ·{" "}
        <AppLink to="/audit" search={{ run: run.id }}>
          its record
        </AppLink>
      </p>
    </Panel>
  );
}

function RunView({ run, readAt }: { run: Run; readAt: number }) {
  const nowMs = useServerTime(isRunFinished(run.state) ? 1000 : 100);
  const wall = run.steps.find((step) => step.point_of_no_return)?.index ?? null;
  return (
    <RunLayout run={run} step="run" nowMs={nowMs}>
      <Ended run={run} />
      <StaleRunNotice run={run} readAt={readAt} />
      <ApprovePanel run={run} />
      <ResumePanel run={run} />
      <WritePause run={run} nowMs={nowMs} />
      <div className={css.columns}>
        <Panel
          title="Steps"
          aside={
            run.point_of_no_return_passed
              ? "point of no return passed"
              : "abort restores everything until the point of no return"
          }
        >
          <RunSteps run={run} wallAt={wall} nowMs={nowMs} />
        </Panel>
        <div className="stack">
          <StatementLog steps={run.steps} />
          <AbortPanel run={run} />
          <Who run={run} />
        </div>
      </div>
    </RunLayout>
  );
}

export function RunPage() {
  const { runId } = useParams({ from: "/shell/runs/$runId" });
  const query = useQuery(runQuery(runId));
  return (
    <QueryBoundary<Run> query={query} label="the run">
      {(run) => <RunView run={run} readAt={query.dataUpdatedAt} />}
    </QueryBoundary>
  );
}
