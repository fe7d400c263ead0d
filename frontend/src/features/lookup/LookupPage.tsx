import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { clustersQuery } from "@/api/resources/clusters";
import type { Cluster, Page } from "@/api/types";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Panel } from "@/ui/Panel";
import { Positions } from "./Positions";
import { SearchForm } from "./SearchForm";

/** Finds the binlog position of a transaction on every node, for a change of source by hand. */
export function LookupPage() {
  const { cluster, xid } = useSearch({ from: "/shell/lookup" });
  const query = useQuery(clustersQuery());
  return (
    <>
      <PageHeader title="Lookup" />
      <QueryBoundary<Page<Cluster>> query={query} label="the clusters">
        {(page) => {
          const chosen = page.results.find((entry) => entry.id === cluster);
          return (
            <div className="stack">
              <Panel>
                <SearchForm clusters={page.results} cluster={cluster} xid={xid} />
              </Panel>
              {chosen && xid && (
                <Positions key={`${chosen.id}${xid}`} cluster={chosen} xid={Number(xid)} />
              )}
            </div>
          );
        }}
      </QueryBoundary>
    </>
  );
}
