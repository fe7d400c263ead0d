import { useQuery } from "@tanstack/react-query";
import { certificatesQuery } from "@/api/resources/advice";
import type { Cluster } from "@/api/types";
import { CertificateList } from "@/components/CertificateList";
import { Panel } from "@/ui/Panel";

/** Until when each certificate of the connections to the cluster is valid. */
export function CertificatesPanel({ cluster }: { cluster: Cluster }) {
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
