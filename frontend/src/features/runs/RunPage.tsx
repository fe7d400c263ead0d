import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { queries } from "@/api/queries";
import type { Run } from "@/api/types";
import { isStale, Moment, useAge, useServerNow } from "@/components/clock";
import { Go } from "@/components/Go";
import { Loaded } from "@/components/Loaded";
import { runHasEnded } from "@/lib/flow";
import { asOf, formatDuration } from "@/lib/time";
import { statusOf } from "@/lib/tone";
import { Panel } from "@/ui/Panel";
import { Statement } from "@/ui/Statement";
import { ApprovePanel } from "./ApprovePanel";
import { pauseOf } from "./pause";
import css from "./Run.module.css";
import { AbortPanel, ResumePanel } from "./RunActs";
import { RunSteps } from "./RunSteps";
import { RunFrame, useCastOf } from "./runFrame";
import { StatementLog } from "./StatementLog";

function Ended({ run }: { run: Run }) {
  if (!runHasEnded(run.state)) return null;
  return (
    <Statement
      live
      tone={statusOf("run", run.state).tone}
      sentence={run.outcome || statusOf("run", run.state).word}
      detail={run.next_action}
      actions={
        <Button component={Go} to={`/runs/${run.id}/result`}>
          See the result
        </Button>
      }
    />
  );
}

/** While nobody can write, the clock that counts is this one. */
function WritePause({ run, nowMs }: { run: Run; nowMs: number }) {
  const cast = useCastOf(run);
  const pause = pauseOf(run, nowMs);
  if (!pause || runHasEnded(run.state)) return null;
  return (
    <Statement
      tone={pause.open ? "warn" : "ok"}
      sentence={
        pause.open
          ? `Writes are paused for ${formatDuration(pause.ms / 1000)}: ${cast.from ?? "the old side"} is fenced, ${cast.to ?? "the new side"} is not open yet.`
          : `${cast.to ?? "The new side"} takes writes; they were paused for ${formatDuration(pause.ms / 1000)}.`
      }
    />
  );
}

/** A run goes on whether or not this page hears of it. */
function LastRead({ run, readAt }: { run: Run; readAt: number }) {
  const age = useAge(0, readAt);
  if (runHasEnded(run.state) || !isStale(age)) return null;
  return (
    <Statement
      tone="unknown"
      sentence={asOf(`${statusOf("run", run.state).word}.`, age)}
      detail="What follows is what was read then; the run goes on by itself."
    />
  );
}

function Who({ run }: { run: Run }) {
  return (
    <Panel title="Who">
      <p>
        {run.requested_by} started this <Moment at={run.created_at} />
        {run.reason && `: “${run.reason}”`}
      </p>
      {run.approvals.map((approval) => (
        <p key={`${approval.round}${approval.at}`}>
          {approval.approver}{" "}
          {approval.is_exception ? "let it begin without a second person" : "approved it"}{" "}
          <Moment at={approval.at} />: “{approval.comment}”
        </p>
      ))}
      <p className="dim">
        request <code>{run.request_id}</code> · epoch {run.epoch} ·{" "}
        <Go to={`/audit?run=${run.id}`}>its record</Go>
      </p>
    </Panel>
  );
}

function RunView({ run, readAt }: { run: Run; readAt: number }) {
  const nowMs = useServerNow(runHasEnded(run.state) ? 1000 : 100);
  const wall = run.steps.find((step) => step.point_of_no_return)?.index ?? null;
  return (
    <RunFrame run={run} step="run" nowMs={nowMs}>
      <Ended run={run} />
      <LastRead run={run} readAt={readAt} />
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
    </RunFrame>
  );
}

export function RunPage() {
  const { runId } = useParams({ from: "/shell/runs/$runId" });
  const query = useQuery(queries.run(runId));
  return (
    <Loaded<Run> query={query} what="the run">
      {(run) => <RunView run={run} readAt={query.dataUpdatedAt} />}
    </Loaded>
  );
}
