import { Select, Textarea } from "@mantine/core";
import { useUpdateCluster } from "@/api/resources/clusters";
import type { Cluster } from "@/api/types";
import { ChangeForm } from "@/components/ChangeForm";
import {
  ClientCertificateFields,
  noClientCertificate,
  typedTexts,
} from "@/components/ClientCertificateFields";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";
import { isVerifying, TLS_MODES } from "@/domain/tls-modes";
import { AcceptUnreachable } from "./AcceptUnreachable";
import { noPasswords, RepeatedPasswords } from "./RepeatedPasswords";

const OTHER_SERVERS =
  "In another TLS mode, or by another authority, another server could pass for these nodes.";

/** Changes how Hawser connects to the nodes. What is left empty stays as it is stored. */
export function TlsForm({ cluster, close }: { cluster: Cluster; close: () => void }) {
  const update = useUpdateCluster(cluster.id);
  const change = useChangeForm({
    initialValues: {
      tls: { mode: cluster.tls.mode, ca: "", ...noClientCertificate() },
      passwords: noPasswords(),
      accept_unreachable: false,
      reason: "",
    },
    version: cluster.version,
    save: async ({ version, body }) => {
      const { mode, ...texts } = body.tls;
      const tls = { mode, ...typedTexts(texts) };
      const passwords = typedTexts(body.passwords);
      await update.mutateAsync({ version, body: { ...body, tls, passwords } });
      showSuccess(`TLS of ${cluster.name} saved.`);
      close();
    },
  });
  const { form } = change;
  const { mode, ca } = form.values.tls;
  const isAnotherServerTrusted = mode !== cluster.tls.mode || ca.trim() !== "";
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
              ? "Empty: the stored certificate stays. While one authority replaces another, paste both, the new one last."
              : "No certificate is stored."
          }
          autosize
          minRows={3}
          {...form.getInputProps("tls.ca")}
        />
      )}
      {form.values.tls.mode !== "disabled" && (
        <ClientCertificateFields
          inputProps={form.getInputProps}
          description={
            cluster.tls.has_client_certificate
              ? "Empty: the stored certificate stays."
              : "For accounts with REQUIRE X509. No certificate is stored."
          }
        />
      )}
      {isAnotherServerTrusted && (
        <RepeatedPasswords
          cluster={cluster}
          because={OTHER_SERVERS}
          inputProps={form.getInputProps}
        />
      )}
      <AcceptUnreachable form={form} refusal={change.refusal} />
    </ChangeForm>
  );
}
