import { useNavigate } from "@tanstack/react-router";
import { useReplaceCluster } from "@/api/resources/clusters";
import type { Cluster, Link, NewHistory } from "@/api/types";
import { ConfirmNameForm } from "@/components/ConfirmNameForm";
import { Consequences } from "@/components/Consequences";
import { showSuccess } from "@/components/toast";

interface ReplaceClusterFormProps {
  cluster: Cluster;
  history: NewHistory;
  links: readonly Link[];
}

const retiredLinks = (links: readonly Link[]): string =>
  links.length === 0
    ? "No link joins this cluster."
    : `Retired: ${links.map((link) => `link ${link.name}`).join(", ")}, with automation, webhooks and rehearsals.`;

/** Registers what responds at the addresses of a cluster as a new cluster. */
export function ReplaceClusterForm({ cluster, history, links }: ReplaceClusterFormProps) {
  const navigate = useNavigate();
  const replace = useReplaceCluster(cluster.id, history.state_uuid);
  return (
    <ConfirmNameForm
      noun="cluster"
      name={cluster.name}
      version={cluster.version}
      action="register the new cluster"
      submitLabel="Register as new cluster"
      save={async (change) => {
        const { id, name } = await replace.mutateAsync(change);
        showSuccess(`The new cluster ${name} is registered.`);
        await navigate({ to: "/clusters/$clusterId", params: { clusterId: id } });
      }}
    >
      <Consequences
        title="What ends"
        items={[
          retiredLinks(links),
          `The history of ${cluster.name} with state UUID ${history.recorded_state_uuid} is closed.`,
          "Recorded positions and channels are not used for the new cluster.",
        ]}
      />
      <Consequences
        title="What stays"
        items={[
          "Name, site, nodes, addresses, accounts and TLS are taken over.",
          "Runs, events and the audit log stay readable.",
          "Nothing is changed on the servers.",
        ]}
      />
      <p className="dim">Afterwards, register a new link with the new cluster.</p>
    </ConfirmNameForm>
  );
}
