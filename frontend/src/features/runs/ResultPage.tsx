import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { apiPath } from "@/api/client";
import { runQuery } from "@/api/resources/runs";
import type { Run, RunStep } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ButtonLink } from "@/components/ButtonLink";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { useServerTime } from "@/components/use-server-time";
import { statusFor } from "@/domain/status";
import { isRunFinished } from "@/domain/workflow";
import { formatDuration } from "@/lib/format/time";
import { Callout } from "@/ui/Callout";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import type { Tone } from "@/ui/StatusIcon";
import css from "./Run.module.css";
import { RunLayout, useRunParticipants } from "./RunLayout";
import { ContinuityPanel, OtherChecksPanel, ProbesPanel } from "./VerificationPanels";
import { openedIt, rolesAfter, writePause } from "./write-pause";

/** A success that was not fully verified is not shown as one. */
function toneOf(run: Run): Tone {
  if (run.state === "succeeded" && run.verification)
    return statusFor("verdict", run.verification.verdict).tone;
  return run.state === "succeeded" ? "unknown" : statusFor("run", run.state).tone;
}

const DURATION: Record<string, string> = {
  queued_s: "Waited for a worker",
  confirm_to_verified_s: "Confirmation to verified",
  total_s: "In all",
};

const secondsOf = (step: RunStep): number =>
  (Date.parse(step.ended_at ?? "") - Date.parse(step.started_at ?? "")) / 1000;

function Durations({ run }: { run: Run }) {
  const totals = Object.entries(run.durations ?? {}).filter(([code]) => code in DURATION);
  const timed = run.steps.filter((step) => step.started_at && step.ended_at);
  return (
    <Panel title="How long it took">
      <table className="grid">
        <tbody>
          {totals.map(([code, seconds]) => (
            <tr key={code}>
              <td className="strong">{DURATION[code]}</td>
              <td className="num">{formatDuration(seconds)}</td>
            </tr>
          ))}
          {timed.map((step) => (
            <tr key={step.index}>
              <td className="dim">{step.title}</td>
              <td className="num">{formatDuration(secondsOf(step))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {totals.length + timed.length === 0 && <p className="dim">Not known.</p>}
    </Panel>
  );
}

/** What became of the two sides: who takes writes, who is fenced, how long nobody could write. */
function Sides({ run }: { run: Run }) {
  const participants = useRunParticipants(run);
  const pause = writePause(run, Date.parse(run.ended_at ?? run.server_time));
  const roles = rolesAfter(run);
  if (roles === null && pause === null) return null;
  return (
    <Panel title="The two sides">
      <table className="grid three">
        <tbody>
          {roles && (
            <>
              <tr>
                <td className="strong">
                  {(roles === "swapped" ? participants.to : participants.from) ?? "–"}
                </td>
                <td>
                  <StatusChip tone="ok">
                    {roles === "swapped" ? "now takes writes" : "takes writes"}
                  </StatusChip>
                </td>
                <td>
                  {roles === "before"
                    ? "as before this run"
                    : openedIt(run)
                      ? "opened by this run"
                      : "it was open already"}
                </td>
              </tr>
              <tr>
                <td className="strong">
                  {(roles === "swapped" ? participants.from : participants.to) ?? "–"}
                </td>
                <td>
                  {run.kind === "failover" && roles === "swapped" ? (
                    <StatusChip tone="bad">invalidated</StatusChip>
                  ) : (
                    <StatusChip tone="neutral">stands by</StatusChip>
                  )}
                </td>
                <td>
                  {run.kind === "failover" && roles === "swapped"
                    ? "refused as a source until it is reconciled"
                    : "follows the other side"}
                </td>
              </tr>
            </>
          )}
          {pause && (
            <tr>
              <td className="strong">Write pause</td>
              <td className={css.pause}>{formatDuration(pause.ms / 1000)}</td>
              <td>
                {pause.measured
                  ? "from the first fence to the opening of the other side"
                  : "from the first fence until the fences were taken away again"}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </Panel>
  );
}

function RunDetails({ run }: { run: Run }) {
  return (
    <Panel title="Who, when, why">
      <DescriptionList
        items={[
          ["Asked by", run.requested_by],
          ["Approved by", run.approved_by ?? "no approval was needed"],
          ["Reason", run.reason],
          ["Confirmed", <Timestamp key="c" at={run.created_at} />],
          ["Ended", <Timestamp key="e" at={run.ended_at} />],
          ["Request", <code key="r">{run.request_id}</code>],
          [
            "Record",
            <AppLink key="a" to="/audit" search={{ run: run.id }}>
              audit entries of this run
            </AppLink>,
          ],
        ]}
      />
    </Panel>
  );
}

function Actions({ run }: { run: Run }) {
  return (
    <>
      <Button
        variant="default"
        component="a"
        href={apiPath(`/runs/${run.id}/report`)}
        download={`${run.link_name}-${run.id}.md`}
      >
        Download the incident report
      </Button>
      <Button variant="default" onClick={() => window.print()}>
        Print
      </Button>
      <ButtonLink to="/links/$linkId" params={{ linkId: run.link_id }}>
        To the link
      </ButtonLink>
    </>
  );
}

function Result({ run }: { run: Run }) {
  const nowMs = useServerTime();
  if (!isRunFinished(run.state))
    return (
      <Callout
        tone="info"
        title="This run has not ended."
        actions={
          <AppLink to="/runs/$runId" params={{ runId: run.id }}>
            Watch it
          </AppLink>
        }
      />
    );
  const verification = run.verification;
  // A cleaning and a fence move nothing: there is no seam to compare and no path to probe.
  const moved = run.kind !== "remove_stray_channel" && run.kind !== "fence_returned_side";
  const compared = moved && (verification?.continuity.length !== 0 || run.kind === "relocate");
  const verdict = verification && statusFor("verdict", verification.verdict);
  return (
    <RunLayout run={run} step="result" nowMs={nowMs}>
      <Callout
        tone={toneOf(run)}
        title={run.outcome || statusFor("run", run.state).word}
        description={
          <span className="row">
            {verdict && <StatusChip tone={verdict.tone}>{verdict.word}</StatusChip>}
            {run.next_action}
          </span>
        }
        actions={<Actions run={run} />}
      />
      <div className="split">
        <div className="stack">
          <Sides run={run} />
          {verification ? (
            <>
              {moved && <ProbesPanel verification={verification} />}
              {compared && <ContinuityPanel verification={verification} />}
              <OtherChecksPanel verification={verification} />
            </>
          ) : (
            <Panel title="Verification">
              <p>
                Not verified: the run ended before it could be. Look at the link's page for how it
                stands now.
              </p>
            </Panel>
          )}
        </div>
        <div className="stack">
          <Durations run={run} />
          <RunDetails run={run} />
        </div>
      </div>
    </RunLayout>
  );
}

export function ResultPage() {
  const { runId } = useParams({ from: "/shell/runs/$runId/result" });
  const query = useQuery(runQuery(runId));
  return (
    <QueryBoundary<Run> query={query} label="the run">
      {(run) => <Result run={run} />}
    </QueryBoundary>
  );
}
