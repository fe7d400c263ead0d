import type { RunStep } from "@/api/types";
import { formatDuration } from "@/lib/format/time";
import { RunningDuration } from "./RunningDuration";
import { stepSeconds } from "./step-seconds";

/** How long a step took, or how long it has been running; nothing before it starts. */
export function StepDuration({ step }: { step: RunStep }) {
  if (!step.started_at) return null;
  const seconds = stepSeconds(step);
  if (seconds === null) return <RunningDuration since={step.started_at} />;
  return <>{formatDuration(seconds)}</>;
}
