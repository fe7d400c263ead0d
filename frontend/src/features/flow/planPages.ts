export { ConfirmPage } from "./ConfirmPage";
export { PlanPage } from "./PlanPage";
export { ProofPage } from "./ProofPage";
