import { SegmentedControl } from "@mantine/core";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { Direction, Plan, Position } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { planChecksLink, planPageLink } from "@/components/workflow/step-link";
import { operationLabel } from "@/domain/operations";
import { DataLossPanel } from "@/features/operations/shared/DataLossPanel";
import { PlanLayout } from "@/features/operations/shared/PlanLayout";
import { RefusedPlan } from "@/features/operations/shared/RefusedPlan";
import { usePlanParticipants } from "@/features/operations/shared/use-plan-participants";
import { WithPlan } from "@/features/operations/shared/WithPlan";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { EvidenceTable } from "./EvidenceTable";
import { PositionVerdict } from "./PositionVerdict";
import { RuntimeProofsTable } from "./RuntimeProofsTable";
import { TransactionComparison } from "./TransactionComparison";

const wordOf = (position: Position): string =>
  position.provisional ? "proven during the run" : position.proven ? "proven" : "not proven";

/** An operation that moves no channel is proven while it runs. */
function NoPosition({ plan }: { plan: Plan }) {
  return (
    <Callout
      tone="neutral"
      title="No resume position to prove: this operation moves no channel."
      description={
        plan.steps.length > 0
          ? `This ${operationLabel(plan.kind).toLowerCase()} is proven while it runs. Each proof must hold before the next step.`
          : "A refused plan proves nothing. Resolve its blockers first."
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
              label: `${entry.direction}: ${wordOf(entry)}`,
            }))}
          />
        </div>
      )}
      {position ? (
        <>
          <PositionVerdict position={position} />
          <Panel>
            <TransactionComparison position={position} />
          </Panel>
          <Panel
            title="Evidence"
            aside="Proven: at least two independent sources agree, one of them transaction content"
          >
            <EvidenceTable evidence={position.evidence} />
          </Panel>
        </>
      ) : (
        <NoPosition plan={plan} />
      )}
      {plan.kind === "failover" && <DataLossPanel plan={plan} participants={participants} />}
      {(plan.kind !== "relocate" || !position) && <RuntimeProofsTable plan={plan} />}
      <div className="row end">
        <ButtonLink variant="default" {...planChecksLink(plan)}>
          Back to checks
        </ButtonLink>
        <ButtonLink {...planPageLink("plan", plan.id)}>View plan</ButtonLink>
      </div>
    </PlanLayout>
  );
}

export function ProofPage() {
  const { planId } = useParams({ from: "/shell/plans/$planId/proof" });
  const { channel = "forward" } = useSearch({ from: "/shell/plans/$planId/proof" });
  return <WithPlan planId={planId}>{(plan) => <Proof plan={plan} direction={channel} />}</WithPlan>;
}
