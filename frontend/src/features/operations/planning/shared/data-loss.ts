import type { Plan } from "@/api/types";
import { pluralize } from "@/lib/format/number";
import type { Tone } from "@/ui/StatusIcon";

/** The data loss of a plan in one line. A failover counts only what was read of the lost side. */
export function dataLossLabel(plan: Plan): string {
  const { transactions, at_least: atLeast, is_exact: isExact } = plan.loss;
  if (plan.state === "refused" && plan.kind !== "failover") return "Nothing is changed";
  const known = transactions ?? atLeast;
  if (known)
    return isExact
      ? pluralize(known, "transaction")
      : `At least ${pluralize(known, "transaction")}`;
  if (transactions === null) return "Unknown data loss";
  return plan.kind === "failover" ? "No known data loss" : "No data loss";
}

/** How the data loss of a plan is coloured. */
export function dataLossTone(plan: Plan): Tone {
  const { transactions, at_least: atLeast } = plan.loss;
  const known = transactions ?? atLeast;
  if (known) return "bad";
  if (transactions === null) return "unknown";
  return plan.kind === "failover" ? "warn" : "ok";
}
