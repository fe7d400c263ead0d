import { useRetireCluster } from "@/api/resources/clusters";
import type { Cluster } from "@/api/types";
import { ConfirmNameForm } from "@/components/ConfirmNameForm";
import { Consequences } from "@/components/Consequences";
import { showSuccess } from "@/components/toast";

/** Retires a cluster that no link joins. */
export function RetireClusterForm({ cluster, close }: { cluster: Cluster; close: () => void }) {
  const retire = useRetireCluster(cluster.id);
  return (
    <ConfirmNameForm
      noun="cluster"
      name={cluster.name}
      version={cluster.version}
      action="retire the cluster"
      submitLabel={`Retire ${cluster.name}`}
      save={async (change) => {
        await retire.mutateAsync(change);
        showSuccess(`Cluster ${cluster.name} retired.`);
        close();
      }}
    >
      <Consequences
        title="What ends"
        items={[
          "Hawser no longer observes the cluster.",
          "Its nodes and the stored passwords are deleted here.",
          "Its name and addresses can be registered again.",
        ]}
      />
      <Consequences
        title="What stays"
        items={["Nothing is changed on the servers.", "The audit log and the runs stay readable."]}
      />
    </ConfirmNameForm>
  );
}
