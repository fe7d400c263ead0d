import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { runQuery } from "@/api/resources/runs";
import type { Run } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { QueryBoundary } from "@/components/QueryBoundary";
import { isRunFinished } from "@/domain/workflow";
import { Callout } from "@/ui/Callout";
import { ExceptionPanel } from "./ExceptionPanel";
import { ResultSection } from "./ResultSection";
import { RunLayout } from "./RunLayout";

function NotEnded({ run }: { run: Run }) {
  return (
    <Callout
      tone="info"
      title="This run has not ended."
      actions={
        <AppLink to="/runs/$runId" params={{ runId: run.id }}>
          View run
        </AppLink>
      }
    />
  );
}

export function ResultPage() {
  const { runId } = useParams({ from: "/shell/runs/$runId/result" });
  const query = useQuery(runQuery(runId));
  return (
    <QueryBoundary<Run> query={query} label="the run" heading="Result">
      {(run) => (
        <RunLayout run={run} step="result">
          <ExceptionPanel run={run} />
          {isRunFinished(run.state) ? <ResultSection run={run} /> : <NotEnded run={run} />}
        </RunLayout>
      )}
    </QueryBoundary>
  );
}
