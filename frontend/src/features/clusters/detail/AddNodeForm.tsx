import { useAddNode } from "@/api/resources/clusters";
import type { Cluster } from "@/api/types";
import { ChangeForm } from "@/components/ChangeForm";
import { typedTexts } from "@/components/ClientCertificateFields";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";
import { AcceptUnreachable } from "./AcceptUnreachable";
import { NodeFields, type NodeValues } from "./NodeFields";
import { ELSEWHERE, noPasswords, RepeatedPasswords } from "./RepeatedPasswords";

/** The member to begin with; empty fields where the user knows it. */
export type SuggestedNode = Pick<NodeValues, "name" | "host" | "port">;

interface AddNodeFormProps {
  cluster: Cluster;
  suggested: SuggestedNode;
  close: () => void;
}

/** Registers one more member of the cluster. */
export function AddNodeForm({ cluster, suggested, close }: AddNodeFormProps) {
  const add = useAddNode(cluster.id);
  const change = useChangeForm<NodeValues>({
    initialValues: {
      ...suggested,
      passwords: noPasswords(),
      accept_unreachable: false,
      reason: "",
    },
    version: cluster.version,
    save: async (values) => {
      const passwords = typedTexts(values.body.passwords);
      await add.mutateAsync({ ...values, body: { ...values.body, passwords } });
      showSuccess(`Node ${values.body.name} added.`);
      close();
    },
  });
  return (
    <ChangeForm change={change} action="add the node" submitLabel="Add node">
      <p className="dim">
        Hawser connects to the server and checks that it is a member of {cluster.name}. Nothing is
        changed on it. Plans that were created before can no longer be run.
      </p>
      <NodeFields form={change.form} />
      <RepeatedPasswords
        cluster={cluster}
        because={ELSEWHERE}
        inputProps={change.form.getInputProps}
      />
      <AcceptUnreachable form={change.form} refusal={change.refusal} />
    </ChangeForm>
  );
}
