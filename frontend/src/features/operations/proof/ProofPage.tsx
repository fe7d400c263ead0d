import { SegmentedControl } from "@mantine/core";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { Direction, Plan, Position } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { planChecksLink, planPageLink } from "@/components/workflow/step-link";
import { operationLabel } from "@/domain/operations";
import { DataLossPanel } from "@/features/operations/shared/DataLossPanel";
import { PlanLayout, usePlanParticipants, WithPlan } from "@/features/operations/shared/PlanLayout";
import { RefusedPlan } from "@/features/operations/shared/RefusedPlan";

import { formatNumber, formatPosition } from "@/lib/format/number";
import { formatAge } from "@/lib/format/time";
import { Callout } from "@/ui/Callout";
import { Copyable } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";
import type { Tone } from "@/ui/StatusIcon";
import { EvidenceTable } from "./EvidenceTable";
import { RuntimeProofsTable } from "./RuntimeProofsTable";
import { TransactionComparison } from "./TransactionComparison";

const toneOf = (position: Position): Tone =>
  position.provisional ? "info" : position.proven ? "ok" : "bad";

const wordOf = (position: Position): string =>
  position.provisional ? "proven after the stop" : position.proven ? "proven" : "not proven";

function agreement(position: Position): string {
  const agree = position.evidence.filter((entry) => entry.agrees === true).length;
  const against = position.evidence.filter((entry) => entry.agrees === false).length;
  return `${agree} kinds of evidence agree, ${against === 0 ? "none disagrees" : `${against} disagree`}`;
}

function Found({ position }: { position: Position }) {
  const age = position.from_checkpoint_age_s;
  const from = age === null ? "" : ` from a checkpoint ${formatAge(age)} older`;
  return (
    <>
      {position.file && (
        <>
          {position.provisional
            ? "As read just now it would resume"
            : `The ${position.direction} channel resumes`}{" "}
          on {position.node_name} at{" "}
          <Copyable text={formatPosition(position.file, position.position)} label="the position" />.{" "}
        </>
      )}
      {agreement(position)}. Found in {Math.round(position.elapsed_ms)} ms,{" "}
      {formatNumber(position.searched_events)} events read{from}.
    </>
  );
}

function Verdict({ position }: { position: Position }) {
  return (
    <Callout
      tone={toneOf(position)}
      title={position.verdict}
      description={
        position.provisional ? (
          <>
            This channel still moves, so any position read now would be old at once. The run stops
            it first, then proves the final position in the same way, and passes the point of no
            return only if that proof holds; otherwise it starts the channel again as it was.{" "}
            <Found position={position} />
          </>
        ) : (
          <>
            <Found position={position} />
            {position.reasons.length > 0 && ` ${position.reasons.join(" ")}`}
          </>
        )
      }
    />
  );
}

/** An act that moves no channel is proven while it runs, and says so here. */
function NoPosition({ plan }: { plan: Plan }) {
  return (
    <Callout
      tone="neutral"
      title="No channel moves, so there is no position to prove."
      description={
        plan.steps.length > 0
          ? `What this ${operationLabel(plan.kind).toLowerCase()} rests on can only be seen once it runs: it is proven there, in this order, and nothing goes on without it.`
          : "A refused plan proves nothing: put right what it names first."
      }
    />
  );
}

function Proof({ plan, direction }: { plan: Plan; direction: Direction }) {
  const navigate = useNavigate();
  const participants = usePlanParticipants(plan);
  const position =
    plan.positions.find((entry) => entry.direction === direction) ?? plan.positions[0];
  const choose = (value: string) =>
    void navigate({
      to: "/plans/$planId/proof",
      params: { planId: plan.id },
      search: { channel: value === "reverse" ? "reverse" : "forward" },
      replace: true,
    });
  return (
    <PlanLayout plan={plan} step="proof">
      <RefusedPlan plan={plan} nextPage={planChecksLink} />
      {plan.positions.length > 1 && position && (
        <div className="scroll">
          <SegmentedControl
            className="fit"
            aria-label="Channel"
            value={position.direction}
            onChange={choose}
            data={plan.positions.map((entry) => ({
              value: entry.direction,
              label: `${entry.direction} channel: ${wordOf(entry)}`,
            }))}
          />
        </div>
      )}
      {position ? (
        <>
          <Verdict position={position} />
          <Panel>
            <TransactionComparison position={position} />
          </Panel>
          <Panel title="Evidence" aside="proven: two families agree, one of them content">
            <EvidenceTable evidence={position.evidence} />
          </Panel>
        </>
      ) : (
        <NoPosition plan={plan} />
      )}
      {plan.kind === "failover" && <DataLossPanel plan={plan} participants={participants} />}
      {(plan.kind !== "relocate" || !position) && (
        <RuntimeProofsTable plan={plan} participants={participants} />
      )}
      <div className="row end">
        <ButtonLink variant="default" {...planChecksLink(plan)}>
          Back to the checks
        </ButtonLink>
        <DisabledReasonButton disabledReason={null} link={planPageLink("plan", plan.id)}>
          See the plan
        </DisabledReasonButton>
      </div>
    </PlanLayout>
  );
}

export function ProofPage() {
  const { planId } = useParams({ from: "/shell/plans/$planId/proof" });
  const { channel = "forward" } = useSearch({ from: "/shell/plans/$planId/proof" });
  return <WithPlan planId={planId}>{(plan) => <Proof plan={plan} direction={channel} />}</WithPlan>;
}
