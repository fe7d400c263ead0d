import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { clusterAdviceQuery } from "@/api/resources/advice";
import { clusterQuery } from "@/api/resources/clusters";
import type { AdviceList, Cluster } from "@/api/types";
import { ClusterTabs } from "@/components/ClusterTabs";
import { CurlButton } from "@/components/CurlButton";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { AdviceView } from "./AdviceView";

/** Advice on the configuration of one cluster. */
export function ClusterAdvicePage() {
  const { clusterId } = useParams({ from: "/shell/clusters/$clusterId/advice" });
  const cluster = useQuery(clusterQuery(clusterId));
  const advice = useQuery(clusterAdviceQuery(clusterId));
  return (
    <QueryBoundary<Cluster> query={cluster} label="the cluster" heading="Advice">
      {({ id, name }) => (
        <>
          <PageHeader
            title={`Advice on ${name}`}
            right={<CurlButton method="GET" path={`/clusters/${id}/advice`} />}
          />
          <ClusterTabs cluster={{ id, name }} at="advice" />
          <QueryBoundary<AdviceList> query={advice} label="the advice">
            {(list) => <AdviceView list={list} />}
          </QueryBoundary>
        </>
      )}
    </QueryBoundary>
  );
}
