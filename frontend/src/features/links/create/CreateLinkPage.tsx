import { useQuery } from "@tanstack/react-query";
import { clustersQuery } from "@/api/resources/clusters";
import type { Cluster, Page } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { GuideCallout } from "@/components/GuideCallout";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { RequirePermission } from "@/components/RequirePermission";
import { Panel } from "@/ui/Panel";
import { CreateLinkForm } from "./CreateLinkForm";

/** Registers two clusters as a link; offered once two clusters are registered. */
export function CreateLinkPage() {
  const query = useQuery(clustersQuery());
  return (
    <>
      <PageHeader title="New link" />
      <RequirePermission permission="register" action="register links">
        <div className="stack">
          <GuideCallout />
          <QueryBoundary<Page<Cluster>> query={query} label="the clusters">
            {({ results: clusters }) =>
              clusters.length < 2 ? (
                <Panel>
                  A link needs two clusters. {clusters.length === 0 ? "None is" : "Only one is"}{" "}
                  registered. <AppLink to="/clusters/new">Register cluster…</AppLink>
                </Panel>
              ) : (
                <CreateLinkForm clusters={clusters} />
              )
            }
          </QueryBoundary>
        </div>
      </RequirePermission>
    </>
  );
}
