import type { Run } from "@/api/types";
import { useDataAge } from "@/components/use-data-age";
import { describeStale, isStale } from "@/domain/freshness";
import { statusFor } from "@/domain/status";
import { isRunFinished } from "@/domain/workflow";
import { Callout } from "@/ui/Callout";

/** Says that this page has no current data of the run. */
export function StaleRunNotice({ run, readAt }: { run: Run; readAt: number }) {
  const age = useDataAge(0, readAt);
  if (isRunFinished(run.state) || !isStale(age)) return null;
  return (
    <Callout
      tone="unknown"
      title={describeStale(`${statusFor("run", run.state).word}.`, age)}
      description="This page shows the last known state. The run continues on the server."
    />
  );
}
