import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { configurationQuery } from "@/api/resources/advice";
import { clusterQuery } from "@/api/resources/clusters";
import type { Cluster, ClusterConfiguration } from "@/api/types";
import { ClusterTabs } from "@/components/ClusterTabs";
import { CurlButton } from "@/components/CurlButton";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ConfigurationView } from "./ConfigurationView";

const FROM = "/shell/clusters/$clusterId/configuration";

/** Provider options and variables of a cluster's nodes, side by side. */
export function ConfigurationPage() {
  const { clusterId } = useParams({ from: FROM });
  const { profile, show } = useSearch({ from: FROM });
  const navigate = useNavigate();
  const cluster = useQuery(clusterQuery(clusterId));
  const configuration = useQuery({
    ...configurationQuery(clusterId, profile),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryBoundary<Cluster> query={cluster} label="the cluster" heading="Configuration">
      {({ id, name }) => (
        <>
          <PageHeader
            title={`Configuration of ${name}`}
            right={<CurlButton method="GET" path={`/clusters/${id}/configuration`} />}
          />
          <ClusterTabs cluster={{ id, name }} at="configuration" />
          <QueryBoundary<ClusterConfiguration> query={configuration} label="the configuration">
            {(found) => (
              <ConfigurationView
                clusterId={id}
                configuration={found}
                choice={{ profile, show }}
                onChange={(choice) =>
                  void navigate({
                    to: "/clusters/$clusterId/configuration",
                    params: { clusterId },
                    search: choice,
                    replace: true,
                  })
                }
              />
            )}
          </QueryBoundary>
        </>
      )}
    </QueryBoundary>
  );
}
