import { useQuery } from "@tanstack/react-query";
import { certificatesQuery } from "@/api/resources/advice";
import type { Cluster } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { Panel } from "@/ui/Panel";

const KINDS = { authority: "Authority", client: "Client certificate", server: "Node" };

/** Until when each certificate of the connections to the cluster is valid. */
export function CertificatesPanel({ cluster }: { cluster: Cluster }) {
  const { data } = useQuery(certificatesQuery(cluster.id));
  const found = data?.certificates ?? [];
  if (found.length === 0) return null;
  return (
    <Panel title="Certificates">
      <ul className="stack" style={{ listStyle: "none", margin: 0, padding: 0 }}>
        {found.map(({ kind, name, ends_at: endsAt }) => (
          <li key={`${kind} ${name}`} style={{ overflowWrap: "anywhere" }}>
            {KINDS[kind]} {name}
            <br />
            <span className="dim">
              until <Timestamp at={endsAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
