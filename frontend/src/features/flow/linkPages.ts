export { ChecksPage } from "./ChecksPage";
export { SituationPage } from "./SituationPage";
export { TargetPage } from "./TargetPage";
