import { Button } from "@mantine/core";
import { apiPath } from "@/api/client";
import type { Run } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { KINDS, kindOf } from "@/domain/operation-kinds";
import { statusFor } from "@/domain/status";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import type { Tone } from "@/ui/StatusIcon";
import { ContinuityPanel } from "./ContinuityPanel";
import { DurationsPanel } from "./DurationsPanel";
import { OtherChecksPanel } from "./OtherChecksPanel";
import { ProbesPanel } from "./ProbesPanel";
import { RemovedChannelsPanel } from "./RemovedChannelsPanel";
import { RolesPanel } from "./RolesPanel";
import { RunDetailsPanel } from "./RunDetailsPanel";
import { TimeSpentPanel } from "./TimeSpentPanel";

/** A success that was not fully verified is not shown as one. */
function toneOf(run: Run): Tone {
  if (run.state === "succeeded" && run.verification)
    return statusFor("verdict", run.verification.verdict).tone;
  return run.state === "succeeded" ? "unknown" : statusFor("run", run.state).tone;
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
        Download incident report
      </Button>
      <ButtonLink variant="default" to="/runs/$runId/report" params={{ runId: run.id }}>
        View incident report
      </ButtonLink>
      <Button variant="default" onClick={() => window.print()}>
        Print page
      </Button>
      <ButtonLink to="/links/$linkId" params={{ linkId: run.link_id }}>
        View link
      </ButtonLink>
    </>
  );
}

function Outcome({ run }: { run: Run }) {
  const verdict = run.verification && statusFor("verdict", run.verification.verdict);
  return (
    <Callout
      tone={toneOf(run)}
      title={run.outcome || statusFor("run", run.state).word}
      description={
        <>
          <p className="strong">Data loss: {run.loss.sentence}.</p>
          <span className="row">
            {verdict && <StatusChip tone={verdict.tone}>{verdict.word}</StatusChip>}
            {run.next_action}
          </span>
        </>
      }
      actions={<Actions run={run} />}
    />
  );
}

function VerificationPanels({ run }: { run: Run }) {
  const { kind, verification } = run;
  if (!verification)
    return (
      <Panel title="Verification">
        <p>Not verified: the run ended before its verification. View the link for its state.</p>
      </Panel>
    );
  const planned = kindOf(kind);
  const isMove = planned !== null && KINDS[planned].isMove;
  const removed = verification.removed_channels ?? [];
  const isCompared = isMove && (verification.continuity.length > 0 || kind === "relocate");
  return (
    <>
      {removed.length > 0 && <RemovedChannelsPanel channels={removed} />}
      {isMove && <ProbesPanel verification={verification} />}
      {isCompared && <ContinuityPanel verification={verification} />}
      <OtherChecksPanel verification={verification} />
    </>
  );
}

/** What a finished run did, and the proof of it. */
export function ResultSection({ run }: { run: Run }) {
  return (
    <>
      <Outcome run={run} />
      <div className="split">
        <div className="stack">
          <RolesPanel run={run} />
          <VerificationPanels run={run} />
        </div>
        <div className="stack">
          <DurationsPanel run={run} />
          <RunDetailsPanel run={run} />
        </div>
      </div>
      <TimeSpentPanel run={run} />
    </>
  );
}
