import { useQuery } from "@tanstack/react-query";
import { runQuery } from "@/api/resources/runs";
import type { Run } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ElapsedTime } from "@/features/operations/runs/ElapsedTime";
import { ResultSection } from "@/features/operations/runs/ResultSection";
import { RunChip } from "@/features/operations/runs/RunChip";
import { RunSection } from "@/features/operations/runs/RunSection";

/** The run of a plan, below the plan. */
export function RunOnePage({ runId }: { runId: string }) {
  const query = useQuery(runQuery(runId));
  return (
    <QueryBoundary<Run> query={query} label="the run">
      {(run) => <RunSection run={run} readAt={query.dataUpdatedAt} />}
    </QueryBoundary>
  );
}

/** What the run of a plan did, below the run. */
export function ResultOnePage({ runId }: { runId: string }) {
  const query = useQuery(runQuery(runId));
  return (
    <QueryBoundary<Run> query={query} label="the run">
      {(run) => <ResultSection run={run} />}
    </QueryBoundary>
  );
}

/** How far the run of a plan is; nothing until it is read. */
export function RunSummary({ runId }: { runId: string }) {
  const { data: run } = useQuery(runQuery(runId));
  if (!run) return null;
  return (
    <>
      <RunChip run={run} />
      <ElapsedTime run={run} />
    </>
  );
}
