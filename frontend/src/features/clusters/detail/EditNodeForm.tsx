import { useUpdateNode } from "@/api/resources/nodes";
import type { Cluster, Node } from "@/api/types";
import { ChangeForm } from "@/components/ChangeForm";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";
import { AcceptUnreachable } from "./AcceptUnreachable";
import { NodeFields, type NodeValues } from "./NodeFields";

interface EditNodeFormProps {
  cluster: Cluster;
  node: Node;
  close: () => void;
}

/** Renames a node, or changes the address at which the same server responds. */
export function EditNodeForm({ cluster, node, close }: EditNodeFormProps) {
  const update = useUpdateNode(node.id);
  const { name, host, port } = node;
  const change = useChangeForm<NodeValues>({
    initialValues: { name, host, port, accept_unreachable: false, reason: "" },
    version: cluster.version,
    save: async (values) => {
      await update.mutateAsync(values);
      showSuccess(`Node ${values.body.name} saved.`);
      close();
    },
  });
  return (
    <ChangeForm change={change} action="save the node" submitLabel="Save node">
      <p className="dim">
        The same server must respond at a new address. Channels that read from this node keep the
        address they have: relocate them first.
      </p>
      <NodeFields form={change.form} />
      <AcceptUnreachable form={change.form} refusal={change.refusal} />
    </ChangeForm>
  );
}
