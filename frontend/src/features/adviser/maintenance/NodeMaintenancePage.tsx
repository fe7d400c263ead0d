import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { nodeAbsenceQuery } from "@/api/resources/node-maintenance";
import type { NodeAbsence } from "@/api/types";
import { ClusterTabs } from "@/components/ClusterTabs";
import { CurlButton } from "@/components/CurlButton";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { AbsencePanel } from "./AbsencePanel";
import { MaintenancesPanel } from "./MaintenancesPanel";
import { StateTransferPanel } from "./StateTransferPanel";
import { WriteRatePanel } from "./WriteRatePanel";

function Loaded({ absence }: { absence: NodeAbsence }) {
  const clusterId = absence.cluster_id;
  return (
    <>
      <PageHeader
        title={`Node maintenance: ${absence.cluster_name}`}
        right={<CurlButton method="GET" path={`/clusters/${clusterId}/node-absence`} />}
      />
      <ClusterTabs cluster={{ id: clusterId, name: absence.cluster_name }} at="maintenance" />
      <div className="stack">
        <MaintenancesPanel clusterId={clusterId} />
        <AbsencePanel absence={absence} />
        <WriteRatePanel absence={absence} />
        <StateTransferPanel clusterId={clusterId} />
      </div>
    </>
  );
}

/** What to know before a node of a cluster is taken away for maintenance. */
export function NodeMaintenancePage() {
  const { clusterId } = useParams({ from: "/shell/clusters/$clusterId/maintenance" });
  const query = useQuery(nodeAbsenceQuery(clusterId));
  return (
    <QueryBoundary<NodeAbsence> query={query} label="the nodes" heading="Node maintenance">
      {(absence) => <Loaded absence={absence} />}
    </QueryBoundary>
  );
}
