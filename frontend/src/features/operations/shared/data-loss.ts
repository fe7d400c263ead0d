import type { Plan } from "@/api/types";
import { pluralize } from "@/lib/format/number";
import type { Tone } from "@/ui/StatusIcon";

/** The data loss of a plan in one line. A failover counts only what was read of the lost side. */
export function dataLossLabel(plan: Plan): string {
  const { transactions } = plan.loss;
  if (plan.state === "refused" && plan.kind !== "failover") return "Nothing is changed";
  if (transactions === null) return "Unknown data loss";
  if (transactions === 0) return plan.kind === "failover" ? "No known data loss" : "No data loss";
  return `At most ${pluralize(transactions, "known transaction")}`;
}

/** How the data loss of a plan is coloured. */
export function dataLossTone(plan: Plan): Tone {
  const { transactions } = plan.loss;
  if (transactions === null) return "unknown";
  if (transactions > 0) return "bad";
  return plan.kind === "failover" ? "warn" : "ok";
}
