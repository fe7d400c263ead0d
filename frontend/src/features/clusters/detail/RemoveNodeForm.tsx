import { Checkbox } from "@mantine/core";
import { useRemoveNode } from "@/api/resources/nodes";
import { ChangeForm } from "@/components/ChangeForm";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";

interface RemoveNodeFormProps {
  node: { id: string; name: string };
  version: number;
  close: () => void;
}

/** Removes a node. The attestation is offered after the server refused without it. */
export function RemoveNodeForm({ node, version, close }: RemoveNodeFormProps) {
  const remove = useRemoveNode(node.id);
  const change = useChangeForm({
    initialValues: { attest_gone: false, reason: "" },
    version,
    save: async (values) => {
      await remove.mutateAsync(values);
      showSuccess(`Node ${node.name} removed.`);
      close();
    },
  });
  const { form, refusal } = change;
  return (
    <ChangeForm
      change={change}
      action={`remove ${node.name}`}
      submitLabel={`Remove ${node.name}`}
      isDanger
    >
      <p className="dim">
        {node.name} is no longer observed, fenced or used in a plan. Nothing is changed on its
        server. Hawser removes only nodes that left their cluster.
      </p>
      {(refusal === "node_cleanup_due" || form.getValues().attest_gone) && (
        <Checkbox
          label={`I attest that the server of ${node.name} was decommissioned`}
          description="If it returns, its old channel replicates again, and Hawser does not see it."
          {...form.getInputProps("attest_gone", { type: "checkbox" })}
        />
      )}
    </ChangeForm>
  );
}
