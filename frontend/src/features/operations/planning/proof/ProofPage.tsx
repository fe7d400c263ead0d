import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { Direction } from "@/api/types";
import { PlanLayout } from "@/features/operations/planning/shared/PlanLayout";
import { WithPlan } from "@/features/operations/planning/shared/WithPlan";
import { ProofSection } from "./ProofSection";

const PROOF = "/shell/plans/$planId/proof";

export function ProofPage() {
  const { planId } = useParams({ from: PROOF });
  const { channel = "forward" } = useSearch({ from: PROOF });
  const navigate = useNavigate();
  const choose = (direction: Direction) =>
    void navigate({
      to: "/plans/$planId/proof",
      params: { planId },
      search: { channel: direction },
      replace: true,
    });
  return (
    <WithPlan planId={planId}>
      {(plan) => (
        <PlanLayout plan={plan} step="proof">
          <ProofSection plan={plan} direction={channel} onChoose={choose} />
        </PlanLayout>
      )}
    </WithPlan>
  );
}
