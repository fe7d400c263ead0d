import type { Plan } from "@/api/types";
import { pluralize } from "@/lib/format/number";
import { StatusChip } from "@/ui/StatusChip";
import { isBlocking, unprovenPositions } from "./blockers";
import { dataLossLabel, dataLossTone } from "./data-loss";
import { PlanChip } from "./PlanChip";

function Verdict({ plan }: { plan: Plan }) {
  if (plan.state === "refused") {
    const blockers = plan.findings.filter(isBlocking).length + unprovenPositions(plan).length;
    return <StatusChip tone="bad">{pluralize(blockers, "blocker")}</StatusChip>;
  }
  const warnings = plan.findings.filter((finding) => finding.severity === "warning").length;
  return warnings > 0 ? (
    <StatusChip tone="warn">No blockers, {pluralize(warnings, "warning")}</StatusChip>
  ) : (
    <StatusChip tone="ok">All checks passed</StatusChip>
  );
}

/** A plan in one line: what its checks say, what it loses, and until when it can be run. */
export function PlanSummary({ plan }: { plan: Plan }) {
  return (
    <>
      <Verdict plan={plan} />
      <StatusChip tone={dataLossTone(plan)}>{dataLossLabel(plan)}</StatusChip>
      <PlanChip plan={plan} />
    </>
  );
}
