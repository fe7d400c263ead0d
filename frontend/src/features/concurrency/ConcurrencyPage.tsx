import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { concurrencyQuery } from "@/api/resources/concurrency";
import type { Concurrency, ConcurrencyGiven } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Panel } from "@/ui/Panel";
import { ConcurrencyForm, FIRST_GIVEN } from "./ConcurrencyForm";
import { MeasuredPanel } from "./MeasuredPanel";
import { ResultPanels } from "./ResultPanels";

/** What a distance between sites does to commits. */
export function ConcurrencyPage() {
  const [given, setGiven] = useState(FIRST_GIVEN);
  const client = useQueryClient();
  const query = useQuery(concurrencyQuery(given));
  const ask = async (asked: ConcurrencyGiven) => {
    await client.query(concurrencyQuery(asked));
    setGiven(asked);
  };
  return (
    <>
      <PageHeader
        title="Commits over a distance"
        right={<AppLink to="/clusters">All clusters</AppLink>}
      />
      <div className="stack">
        <Panel title="Sites">
          <div className="stack">
            <p className="dim">
              For one Galera cluster over several sites. An arbitrator's site counts as one. Half of
              a ping's time is a one-way delay where both ways are alike.
            </p>
            <ConcurrencyForm ask={ask} />
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
