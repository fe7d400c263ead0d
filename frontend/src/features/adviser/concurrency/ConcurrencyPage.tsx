import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { clustersQuery } from "@/api/resources/clusters";
import { concurrencyQuery } from "@/api/resources/concurrency";
import type { Concurrency, ConcurrencyGiven } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ClusterTabs } from "@/components/ClusterTabs";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Panel } from "@/ui/Panel";
import { CalibrationPanel } from "./CalibrationPanel";
import { ConcurrencyForm } from "./ConcurrencyForm";
import { MeasuredPanel } from "./MeasuredPanel";
import { ResultPanels } from "./ResultPanels";
import { RunningClusterPanel } from "./RunningClusterPanel";
import { FIRST_GIVEN, useConcurrencyForm } from "./use-concurrency-form";

/** What a distance between sites does to commits. */
export function ConcurrencyPage() {
  const { cluster: named } = useSearch({ from: "/shell/concurrency" });
  const navigate = useNavigate();
  const [given, setGiven] = useState(FIRST_GIVEN);
  const client = useQueryClient();
  const query = useQuery(concurrencyQuery(given));
  const clusters = useQuery(clustersQuery()).data?.results ?? [];
  const chosen = clusters.find(({ id }) => id === named);
  const form = useConcurrencyForm(async (asked: ConcurrencyGiven) => {
    await client.query(concurrencyQuery(asked));
    setGiven(asked);
  });
  const readFrom = chosen ?? clusters[0];
  return (
    <>
      <PageHeader
        title="Commits over a distance"
        right={<AppLink to="/clusters">All clusters</AppLink>}
      />
      {chosen && <ClusterTabs cluster={chosen} at="distance" />}
      <div className="stack">
        {readFrom && (
          <RunningClusterPanel
            clusters={clusters}
            chosen={readFrom}
            onChoose={(cluster) =>
              void navigate({ to: "/concurrency", search: { cluster }, replace: true })
            }
            onRead={(found) => void form.fill(found)}
          />
        )}
        {readFrom && <CalibrationPanel key={readFrom.id} cluster={readFrom} />}
        <Panel title="Sites">
          <div className="stack">
            <p className="dim">
              For one Galera cluster over several sites. An arbitrator's site counts as one. Half of
              a ping's time is a one-way delay where both ways are alike.
            </p>
            <ConcurrencyForm {...form} />
          </div>
        </Panel>
        <QueryBoundary<Concurrency> query={query} label="the commits">
          {(result) => (
            <>
              <ResultPanels result={result} />
              <MeasuredPanel table={result.table} />
            </>
          )}
        </QueryBoundary>
      </div>
    </>
  );
}
