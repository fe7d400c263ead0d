import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { bandwidthQuery } from "@/api/resources/bandwidth";
import type { Bandwidth } from "@/api/types";
import { ClusterTabs } from "@/components/ClusterTabs";
import { CurlButton } from "@/components/CurlButton";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ByCountPanel } from "./ByCountPanel";
import { LinePanel } from "./LinePanel";
import { MeasuredPanel } from "./MeasuredPanel";
import { SegmentAdvice, SegmentsPanel } from "./SegmentsPanel";
import { TrafficPanel } from "./TrafficPanel";

function Loaded({ found }: { found: Bandwidth }) {
  const { cluster_id: id, cluster_name: name } = found;
  return (
    <>
      <PageHeader
        title={`Bandwidth of ${name}`}
        right={<CurlButton method="GET" path={`/clusters/${id}/bandwidth`} />}
      />
      <ClusterTabs cluster={{ id, name }} at="bandwidth" />
      <div className="stack">
        <SegmentAdvice found={found} />
        <SegmentsPanel found={found} />
        <TrafficPanel found={found} />
        <LinePanel found={found} />
        <ByCountPanel found={found} />
        <MeasuredPanel rows={found.measured} />
      </div>
    </>
  );
}

/** Segments of a cluster, the bytes between its nodes, and the line that they take. */
export function BandwidthPage() {
  const { clusterId } = useParams({ from: "/shell/clusters/$clusterId/bandwidth" });
  const query = useQuery(bandwidthQuery(clusterId));
  return (
    <QueryBoundary<Bandwidth> query={query} label="the bandwidth" heading="Bandwidth">
      {(found) => <Loaded found={found} />}
    </QueryBoundary>
  );
}
