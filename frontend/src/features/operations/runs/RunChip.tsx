import type { Run } from "@/api/types";
import { statusFor } from "@/domain/status";
import { StatusChip } from "@/ui/StatusChip";

function runStateLabel(run: Run): string {
  const status = statusFor("run", run.state);
  if (run.state !== "running") return status.word;
  const at = run.steps.findIndex((step) => step.state === "running" || step.state === "pending");
  return `Running · step ${at === -1 ? run.steps.length : at + 1} of ${run.steps.length}`;
}

/** The state of a run; while it runs, the step that it is at. */
export function RunChip({ run }: { run: Run }) {
  return <StatusChip tone={statusFor("run", run.state).tone}>{runStateLabel(run)}</StatusChip>;
}
