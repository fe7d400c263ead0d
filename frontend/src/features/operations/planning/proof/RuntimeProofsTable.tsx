import type { Plan, PlanStep } from "@/api/types";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";

type StepProof = NonNullable<PlanStep["proof"]>;
type NumberedProof = StepProof & { step: number };

const ON_FAILURE: Record<StepProof["on_failure"], string> = {
  reverted: "The run is rolled back",
  needs_operator: "The run stops for an operator",
};

/** The proofs of the steps in their order. A claim that several steps prove is listed once. */
export function runtimeProofs(steps: readonly PlanStep[]): NumberedProof[] {
  const proofs = steps.flatMap(({ proof }, index) =>
    proof ? [{ ...proof, step: index + 1 }] : [],
  );
  return proofs.filter(
    ({ claim }, index) => proofs.findIndex((other) => other.claim === claim) === index,
  );
}

const COLUMNS: Column<NumberedProof>[] = [
  column("Step", (proof) => proof.step, { mono: true }),
  nameColumn("Claim", (proof) => <span className="strong">{proof.claim}</span>),
  column("Method", (proof) => proof.method),
  column("On failure", (proof) => <span className="dim">{ON_FAILURE[proof.on_failure]}</span>),
];

/** What is proven only while the plan runs, and what happens where a proof fails. */
export function RuntimeProofsTable({ plan }: { plan: Plan }) {
  const proofs = runtimeProofs(plan.steps);
  if (proofs.length === 0) return null;
  return (
    <Panel title="Proofs during the run" aside="each before the next step">
      <DataTable
        caption="Proofs during the run"
        columns={COLUMNS}
        rows={proofs}
        rowKey={(proof) => proof.step}
        empty="No proof."
      />
    </Panel>
  );
}
