import { Button, Group, Select, Textarea, TextInput } from "@mantine/core";
import { useCreateCluster } from "@/api/resources/clusters";
import type { Cluster } from "@/api/types";
import { ClientCertificateFields } from "@/components/ClientCertificateFields";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { isVerifying, TLS_MODES } from "@/domain/tls-modes";
import { Panel } from "@/ui/Panel";
import { AccountsPanel } from "./AccountsPanel";
import { emptyForm, type FormValues, toRequest, validate } from "./cluster-form";

/** The nodes, the TLS mode and the accounts of a new cluster. */
export function CreateClusterForm({ onCreated }: { onCreated: (cluster: Cluster) => void }) {
  const create = useCreateCluster();
  const { form, submit, problem } = useServerForm<FormValues>({
    initialValues: emptyForm(),
    validate,
  });
  const onSubmit = submit(async (values) => onCreated(await create.mutateAsync(toRequest(values))));
  return (
    <form className="stack" onSubmit={onSubmit}>
      {problem !== null && <ProblemAlert error={problem} action="register the cluster" />}
      <Panel title="Cluster">
        <Group align="flex-start" gap="sm">
          <TextInput label="Name" placeholder="milan" {...form.getInputProps("name")} />
          <TextInput label="Site" placeholder="Milan" {...form.getInputProps("site")} />
          <Select
            label="TLS"
            data={[...TLS_MODES]}
            allowDeselect={false}
            w={270}
            {...form.getInputProps("tls.mode")}
          />
        </Group>
        {isVerifying(form.values.tls.mode) && (
          <Textarea
            label="Certificate authority (PEM)"
            autosize
            minRows={3}
            mt={10}
            {...form.getInputProps("tls.ca")}
          />
        )}
        {form.values.tls.mode !== "disabled" && (
          <ClientCertificateFields
            inputProps={form.getInputProps}
            description="For accounts with REQUIRE X509. Empty: none is shown."
          />
        )}
      </Panel>
      <Panel title="Nodes" aside="one per line: name host[:port]">
        <Textarea
          aria-label="Nodes, one per line"
          placeholder={"db-a1 10.0.1.1\ndb-a2 10.0.1.2\ndb-a3 10.0.1.3:3307"}
          autosize
          minRows={3}
          classNames={{ input: "mono" }}
          {...form.getInputProps("nodes")}
        />
      </Panel>
      <AccountsPanel form={form} />
      <div className="row end">
        <Button type="submit" loading={create.isPending}>
          Register and check cluster
        </Button>
      </div>
    </form>
  );
}
