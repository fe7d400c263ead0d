import type { Finding, Plan } from "@/api/types";

/** Whether a finding refuses a plan: a blocker, or a fact that is unknown. */
export const isBlocking = (finding: Finding): boolean =>
  finding.severity === "blocker" || finding.severity === "unknown";

/** The positions whose missing proof refuses a plan. */
export const unprovenPositions = (plan: Plan) =>
  plan.positions.filter((position) => !position.proven && !position.provisional);
