import { TextInput } from "@mantine/core";
import { useUpdateCluster } from "@/api/resources/clusters";
import type { Cluster } from "@/api/types";
import { ChangeForm } from "@/components/ChangeForm";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";

/** Changes the name and the site of a cluster. */
export function EditClusterForm({ cluster, close }: { cluster: Cluster; close: () => void }) {
  const update = useUpdateCluster(cluster.id);
  const change = useChangeForm({
    initialValues: { name: cluster.name, site: cluster.site, reason: "" },
    version: cluster.version,
    save: async ({ version, body }) => {
      await update.mutateAsync({ version, body: { ...body, accept_unreachable: false } });
      showSuccess(`Cluster ${body.name} saved.`);
      close();
    },
  });
  return (
    <ChangeForm change={change} action="save the cluster" submitLabel="Save cluster">
      <TextInput label="Name" required {...change.form.getInputProps("name")} />
      <TextInput label="Site" required {...change.form.getInputProps("site")} />
      <p className="dim">Plans that were created before this change can no longer be run.</p>
    </ChangeForm>
  );
}
