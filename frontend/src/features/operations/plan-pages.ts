export { ConfirmPage } from "@/features/operations/confirm/ConfirmPage";
export { PlanPage } from "@/features/operations/plan/PlanPage";
export { ProofPage } from "@/features/operations/proof/ProofPage";
