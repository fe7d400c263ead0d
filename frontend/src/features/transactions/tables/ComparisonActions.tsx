import { Button } from "@mantine/core";
import { useChangeComparison } from "@/api/resources/table-comparisons";
import type { TableComparison } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useCan } from "@/components/use-session";
import { isUnfinished } from "./comparison-status";

/** Pauses an unfinished comparison, lets it go on, or stops it for good. */
export function ComparisonActions({ comparison }: { comparison: TableComparison }) {
  const mayChange = useCan("lookup");
  const change = useChangeComparison(comparison.link_id, comparison.id);
  if (!mayChange || !isUnfinished(comparison)) return null;
  const isPaused = comparison.state === "paused";
  return (
    <>
      <div className="row">
        <Button
          size="xs"
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate(isPaused ? "running" : "paused")}
        >
          {isPaused ? "Resume" : "Pause"}
        </Button>
        <ConfirmAction
          label="Stop"
          subject="the comparison"
          title="Stop the comparison?"
          confirmLabel="Stop the comparison"
          action="stop the comparison"
          success="Table comparison stopped."
          onConfirm={() => change.mutateAsync("stopped")}
        >
          What it found stays. It cannot be resumed: a new comparison begins with the first row.
        </ConfirmAction>
      </div>
      {change.isError && (
        <ProblemAlert error={change.error} action={isPaused ? "resume it" : "change its state"} />
      )}
    </>
  );
}
