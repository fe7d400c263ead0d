import { Button, Checkbox, Group, Select, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useCreateLink } from "@/api/resources/links";
import type { Cluster } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { STANDBY_WRITES } from "@/domain/standby-writes";
import { Panel } from "@/ui/Panel";

function useCreateLinkForm(clusters: readonly Cluster[]) {
  return useServerForm({
    initialValues: {
      name: "",
      active_cluster: clusters[0]?.id ?? "",
      standby_cluster: clusters[1]?.id ?? "",
      channel_name: "",
      create_probe: true,
      requires_approval: false,
      writes_on_both_sides: false,
    },
    validate: {
      name: (name) => (name.trim() ? null : "Enter a name"),
      standby_cluster: (standby, { active_cluster }) =>
        standby === active_cluster ? "Select two different clusters" : null,
    },
  });
}

/** The clusters of the new link and its rules. */
export function CreateLinkForm({ clusters }: { clusters: readonly Cluster[] }) {
  const navigate = useNavigate();
  const create = useCreateLink();
  const { form, submit, problem } = useCreateLinkForm(clusters);
  const data = clusters.map(({ id, name, site }) => ({ value: id, label: `${name}, ${site}` }));
  const onSubmit = submit(async (values) => {
    const link = await create.mutateAsync(values);
    await navigate({ to: "/links/$linkId", params: { linkId: link.id } });
  });
  return (
    <form onSubmit={onSubmit} className="stack">
      {problem !== null && <ProblemAlert error={problem} action="register the link" />}
      <Panel title="Clusters" aside="existing channels are discovered; nothing on them is changed">
        <Group align="flex-start" gap="sm">
          <TextInput label="Name" placeholder="payments" {...form.getInputProps("name")} />
          <Select
            label="Active cluster"
            description="Applications write on this cluster."
            data={data}
            allowDeselect={false}
            w={270}
            {...form.getInputProps("active_cluster")}
          />
          <Select
            label="Standby cluster"
            data={data}
            allowDeselect={false}
            w={240}
            {...form.getInputProps("standby_cluster")}
          />
          <TextInput
            label="Connection name"
            placeholder="(default)"
            {...form.getInputProps("channel_name")}
          />
        </Group>
      </Panel>
      <Panel title="Rules">
        <div className="stack attest">
          <Checkbox
            label="Create the schema hawser with the table hawser.probe on both sides"
            description="A probe write proves that a channel replicates. Without it, verification relies on the continuity check alone. Outside a run Hawser writes nothing else."
            {...form.getInputProps("create_probe", { type: "checkbox" })}
          />
          <Checkbox
            label="Require the approval of a second user for every run on this link"
            description="You can switch this on at any time. Switching it off takes effect after a delay, or when a second administrator confirms the change."
            {...form.getInputProps("requires_approval", { type: "checkbox" })}
          />
          <Checkbox
            label={STANDBY_WRITES.label}
            description={STANDBY_WRITES.description}
            {...form.getInputProps("writes_on_both_sides", { type: "checkbox" })}
          />
        </div>
      </Panel>
      <div className="row end">
        <Button type="submit" loading={create.isPending}>
          Register link
        </Button>
      </div>
    </form>
  );
}
