export { ChecksPage } from "@/features/operations/checks/ChecksPage";
export { SituationPage } from "@/features/operations/situation/SituationPage";
export { TargetPage } from "@/features/operations/target/TargetPage";
