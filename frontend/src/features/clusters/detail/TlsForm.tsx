import { Select, Textarea } from "@mantine/core";
import { useUpdateCluster } from "@/api/resources/clusters";
import type { Cluster } from "@/api/types";
import { ChangeForm } from "@/components/ChangeForm";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";
import { isVerifying, TLS_MODES } from "@/domain/tls-modes";
import { AcceptUnreachable } from "./AcceptUnreachable";

/** Changes how Hawser connects to the nodes. An empty certificate field keeps the stored certificate. */
export function TlsForm({ cluster, close }: { cluster: Cluster; close: () => void }) {
  const update = useUpdateCluster(cluster.id);
  const change = useChangeForm({
    initialValues: {
      tls: { mode: cluster.tls.mode, ca: "" },
      accept_unreachable: false,
      reason: "",
    },
    version: cluster.version,
    save: async ({ version, body }) => {
      const { mode, ca } = body.tls;
      const tls = { mode, ...(ca.trim() ? { ca } : {}) };
      await update.mutateAsync({ version, body: { ...body, tls } });
      showSuccess(`TLS of ${cluster.name} saved.`);
      close();
    },
  });
  const { form } = change;
  return (
    <ChangeForm change={change} action="save the TLS settings" submitLabel="Try and save TLS">
      <p className="dim">
        Hawser connects to every node in the new mode first. If a node refuses, the old mode stays.
      </p>
      <Select
        label="TLS"
        data={[...TLS_MODES]}
        allowDeselect={false}
        {...form.getInputProps("tls.mode")}
      />
      {isVerifying(form.values.tls.mode) && (
        <Textarea
          label="Certificate authority (PEM)"
          description={
            cluster.tls.has_ca
              ? "Empty: the stored certificate stays."
              : "No certificate is stored."
          }
          autosize
          minRows={3}
          {...form.getInputProps("tls.ca")}
        />
      )}
      <AcceptUnreachable form={form} refusal={change.refusal} />
    </ChangeForm>
  );
}
