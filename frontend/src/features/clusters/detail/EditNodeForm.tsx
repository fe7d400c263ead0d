import { useUpdateNode } from "@/api/resources/nodes";
import type { Cluster, Node } from "@/api/types";
import { ChangeForm } from "@/components/ChangeForm";
import { typedTexts } from "@/components/ClientCertificateFields";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";
import { AcceptUnreachable } from "./AcceptUnreachable";
import { NodeFields, type NodeValues } from "./NodeFields";
import { ELSEWHERE, noPasswords, RepeatedPasswords } from "./RepeatedPasswords";

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
    initialValues: {
      name,
      host,
      port,
      passwords: noPasswords(),
      accept_unreachable: false,
      reason: "",
    },
    version: cluster.version,
    save: async (values) => {
      const passwords = typedTexts(values.body.passwords);
      await update.mutateAsync({ ...values, body: { ...values.body, passwords } });
      showSuccess(`Node ${values.body.name} saved.`);
      close();
    },
  });
  const given = change.form.values;
  const isMoved = given.host !== host || given.port !== port;
  return (
    <ChangeForm change={change} action="save the node" submitLabel="Save node">
      <p className="dim">
        The same server must respond at a new address. Channels that read from this node keep the
        address they have: relocate them first.
      </p>
      <NodeFields form={change.form} />
      {isMoved && (
        <RepeatedPasswords
          cluster={cluster}
          because={ELSEWHERE}
          inputProps={change.form.getInputProps}
        />
      )}
      <AcceptUnreachable form={change.form} refusal={change.refusal} />
    </ChangeForm>
  );
}
