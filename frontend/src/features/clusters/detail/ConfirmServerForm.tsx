import { useConfirmServer } from "@/api/resources/nodes";
import type { Cluster, ReplacedNode } from "@/api/types";
import { ChangeForm } from "@/components/ChangeForm";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";
import { DescriptionList } from "@/ui/DescriptionList";

interface ConfirmServerFormProps {
  cluster: Cluster;
  node: ReplacedNode;
  close: () => void;
}

const server = (uuid: string, id: number): string =>
  `server_id ${id}, server UUID ${uuid || "unknown"}`;

/** Confirms that another server took the place of a node. */
export function ConfirmServerForm({ cluster, node, close }: ConfirmServerFormProps) {
  const confirm = useConfirmServer(node.id, node.observed_server_id);
  const change = useChangeForm({
    initialValues: { reason: "" },
    version: cluster.version,
    save: async (values) => {
      await confirm.mutateAsync(values);
      showSuccess(`The new server of ${node.name} is recorded.`);
      close();
    },
  });
  return (
    <ChangeForm
      change={change}
      action="confirm the replacement"
      submitLabel={`Confirm replacement of ${node.name}`}
    >
      <DescriptionList
        items={[
          ["Recorded", server(node.recorded_server, node.recorded_server_id)],
          ["Observed", server(node.observed_server, node.observed_server_id)],
        ]}
      />
      <p className="dim">
        Confirm only if you replaced this server. Until then no plan uses {node.name}.
      </p>
    </ChangeForm>
  );
}
