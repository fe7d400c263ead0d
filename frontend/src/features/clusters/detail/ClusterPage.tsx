import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { certificatesQuery } from "@/api/resources/advice";
import { clusterQuery } from "@/api/resources/clusters";
import { linksQuery } from "@/api/resources/links";
import type { Cluster } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { CertificateList } from "@/components/CertificateList";
import { ClusterTabs } from "@/components/ClusterTabs";
import { CurlButton } from "@/components/CurlButton";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { RetiredCallout } from "@/components/RetiredCallout";
import { Panel } from "@/ui/Panel";
import { AcceptanceCallout } from "./AcceptanceCallout";
import { AccountsSection } from "./AccountsSection";
import { MembershipPanel } from "./MembershipPanel";
import { NewHistoryCallout } from "./NewHistoryCallout";
import { NodesPanel } from "./NodesPanel";
import { RegistrationPanel } from "./RegistrationPanel";
import { RetirementPanel } from "./RetirementPanel";

/** Until when each certificate of the connections to the cluster is valid. */
function CertificatesPanel({ cluster }: { cluster: Cluster }) {
  const { data } = useQuery(certificatesQuery(cluster.id));
  const found = data?.certificates ?? [];
  if (found.length === 0) return null;
  return (
    <Panel title="Certificates">
      <CertificateList
        certificates={found.map(({ kind, name, ends_at: endsAt }) => ({ kind, name, endsAt }))}
      />
    </Panel>
  );
}

function ClusterView({ cluster, readAt }: { cluster: Cluster; readAt: number }) {
  const { data } = useQuery(linksQuery());
  const links = data?.results.filter(({ active_cluster: active, standby_cluster: standby }) =>
    [active.id, standby.id].includes(cluster.id),
  );
  const { retired_at: retiredAt } = cluster;
  return (
    <>
      <PageHeader
        title={`Cluster ${cluster.name}`}
        right={
          <>
            <CurlButton method="GET" path={`/clusters/${cluster.id}`} />
            <AppLink to="/clusters">All clusters</AppLink>
          </>
        }
      />
      {!retiredAt && <ClusterTabs cluster={cluster} at="now" />}
      <div className="stack">
        {retiredAt && <RetiredCallout name={cluster.name} at={retiredAt} />}
        {!retiredAt && <AcceptanceCallout cluster={cluster} />}
        {!retiredAt && <NewHistoryCallout cluster={cluster} links={links ?? []} />}
        <div className="with-aside">
          <div className="stack">
            <NodesPanel cluster={cluster} readAt={readAt} />
            {!retiredAt && <MembershipPanel cluster={cluster} />}
            {!retiredAt && <AccountsSection cluster={cluster} />}
          </div>
          <div className="stack">
            <RegistrationPanel cluster={cluster} links={links} />
            {!retiredAt && <CertificatesPanel cluster={cluster} />}
            {!retiredAt && <RetirementPanel cluster={cluster} links={links} />}
          </div>
        </div>
      </div>
    </>
  );
}

/** One cluster: its registration, nodes, members and accounts, with what can be changed of them. */
export function ClusterPage() {
  const { clusterId } = useParams({ from: "/shell/clusters/$clusterId" });
  const query = useQuery(clusterQuery(clusterId));
  return (
    <QueryBoundary<Cluster> query={query} label="the cluster">
      {(cluster) => <ClusterView cluster={cluster} readAt={query.dataUpdatedAt} />}
    </QueryBoundary>
  );
}
