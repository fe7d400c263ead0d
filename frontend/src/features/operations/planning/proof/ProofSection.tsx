import { SegmentedControl } from "@mantine/core";
import { Fragment } from "react";
import type { Direction, Plan, Position } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { Term } from "@/components/Term";
import { planChecksLink, planPageLink } from "@/components/workflow/step-link";
import { StepsOnly, usePlanLink } from "@/components/workflow/workflow-view";
import { operationLabel } from "@/domain/operations";
import { DataLossPanel } from "@/features/operations/planning/shared/DataLossPanel";
import { FirstStatementPanel } from "@/features/operations/planning/shared/FirstStatementPanel";
import { RefusedPlan } from "@/features/operations/planning/shared/RefusedPlan";
import { usePlanParticipants } from "@/features/operations/planning/shared/use-plan-participants";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { useIsPrinting } from "@/ui/use-is-printing";
import { EvidenceTable } from "./EvidenceTable";
import { PositionVerdict } from "./PositionVerdict";
import { RuntimeProofsTable } from "./RuntimeProofsTable";
import { TransactionComparison } from "./TransactionComparison";

const wordOf = (position: Position): string =>
  position.provisional ? "proven during the run" : position.proven ? "proven" : "not proven";

const createsChannels = (plan: Plan) => plan.steps.some(({ code }) => code === "change_source");

/** An operation without a position that could be proven before is proven while it runs. */
function NoPosition({ plan }: { plan: Plan }) {
  return (
    <Callout
      tone="neutral"
      title={
        createsChannels(plan)
          ? "The channels begin at positions that are read and proven in the run."
          : "No resume position to prove: this operation moves no channel."
      }
      description={
        plan.steps.length > 0
          ? `This ${operationLabel(plan.kind).toLowerCase()} is proven while it runs. Each proof must hold before the next step.`
          : "A refused plan proves nothing. Resolve its blockers first."
      }
    />
  );
}

/** One resume position: its verdict, the transactions around it, and the evidence. */
const PositionProof = ({ position }: { position: Position }) => (
  <>
    <PositionVerdict position={position} />
    <Panel>
      <TransactionComparison position={position} />
    </Panel>
    <Panel
      title={<Term of="evidence">Evidence</Term>}
      aside="Proven: at least two independent sources agree, one of them transaction content"
    >
      <EvidenceTable evidence={position.evidence} />
    </Panel>
  </>
);

interface ProofProps {
  plan: Plan;
  direction: Direction;
  onChoose: (direction: Direction) => void;
}

/** The resume position of each channel with its evidence, and what is proven during the run. */
export function ProofSection({ plan, direction, onChoose }: ProofProps) {
  const nextPage = usePlanLink("checks");
  const participants = usePlanParticipants(plan);
  const isPrinting = useIsPrinting();
  const position =
    plan.positions.find((entry) => entry.direction === direction) ?? plan.positions[0];
  return (
    <>
      <StepsOnly>
        <RefusedPlan plan={plan} nextPage={nextPage} />
      </StepsOnly>
      {plan.positions.length > 1 && position && (
        <div className="scroll">
          <SegmentedControl
            className="fit"
            aria-label="Channel"
            value={position.direction}
            onChange={(value) => onChoose(value === "reverse" ? "reverse" : "forward")}
            data={plan.positions.map((entry) => ({
              value: entry.direction,
              label: `${entry.direction}: ${wordOf(entry)}`,
            }))}
          />
        </div>
      )}
      {!position && <NoPosition plan={plan} />}
      {plan.positions
        .filter((entry) => isPrinting || entry === position)
        .map((entry) => (
          <Fragment key={entry.direction}>
            <p className="print-only strong">
              {entry.direction}: {wordOf(entry)}
            </p>
            <PositionProof position={entry} />
          </Fragment>
        ))}
      {plan.kind === "failover" && (
        <StepsOnly>
          <DataLossPanel plan={plan} participants={participants} />
        </StepsOnly>
      )}
      {(plan.kind !== "relocate" || !position) && <RuntimeProofsTable plan={plan} />}
      <StepsOnly>
        <FirstStatementPanel plan={plan} />
        <div className="row end">
          <ButtonLink variant="default" {...planChecksLink(plan)}>
            Back to checks
          </ButtonLink>
          <ButtonLink {...planPageLink("plan", plan.id)}>View plan</ButtonLink>
        </div>
      </StepsOnly>
    </>
  );
}
