import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { runQuery } from "@/api/resources/runs";
import type { Run } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { RunLayout } from "./RunLayout";
import { RunSection } from "./RunSection";

export function RunPage() {
  const { runId } = useParams({ from: "/shell/runs/$runId" });
  const query = useQuery(runQuery(runId));
  return (
    <QueryBoundary<Run> query={query} label="the run" heading="Run">
      {(run) => (
        <RunLayout run={run} step="run">
          <RunSection run={run} readAt={query.dataUpdatedAt} />
        </RunLayout>
      )}
    </QueryBoundary>
  );
}
