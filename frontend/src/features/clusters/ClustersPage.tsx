import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { clustersQuery } from "@/api/resources/clusters";
import type { Cluster, Page } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { useCan } from "@/components/use-session";
import { Panel } from "@/ui/Panel";
import { ClusterPanel } from "./ClusterPanel";

/** All clusters with their nodes. */
export function ClustersPage() {
  const { node } = useSearch({ from: "/shell/clusters" });
  const query = useQuery(clustersQuery());
  const mayRegister = useCan("register");
  return (
    <>
      <PageHeader
        title="Clusters"
        right={
          <>
            <AppLink to="/concurrency">Commits over a distance</AppLink>
            {mayRegister && <AppLink to="/registrations">Register clusters…</AppLink>}
          </>
        }
      />
      <QueryBoundary<Page<Cluster>> query={query} label="the clusters">
        {(page) => (
          <div className="stack">
            {page.results.map((cluster) => (
              <ClusterPanel
                key={cluster.id}
                cluster={cluster}
                openNode={node}
                readAt={query.dataUpdatedAt}
              />
            ))}
            {page.results.length === 0 && <Panel>No clusters are registered.</Panel>}
          </div>
        )}
      </QueryBoundary>
    </>
  );
}
