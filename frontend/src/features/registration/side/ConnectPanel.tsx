import { Button, Group, NumberInput, PasswordInput, TextInput } from "@mantine/core";
import { useDiscover } from "@/api/resources/registrations";
import type { Registration, RegistrationSide } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Panel } from "@/ui/Panel";
import { useDraftForm } from "../use-draft-form";

interface ConnectPanelProps {
  draft: Registration;
  side: RegistrationSide;
  password: string;
  setPassword: (password: string) => void;
}

/** One node and an administrator's account: enough to find the whole cluster. */
export function ConnectPanel({ draft, side, password, setPassword }: ConnectPanelProps) {
  const discover = useDiscover(draft.id);
  const { name, site, host, port, administrator, discovered } = draft[side];
  const { form, problem, save, onSubmit } = useDraftForm({
    draft,
    prefix: `${side}.`,
    initialValues: { name, site, host, port, administrator, password: "" },
    validate: {
      host: (value) => (value.trim() ? null : "Enter the host name of one node"),
      administrator: (value) => (value.trim() ? null : "Enter the user of the account"),
    },
    toRequest: ({ password: _kept, ...values }) => ({ [side]: values }),
  });
  const submit = onSubmit(() => discover.mutateAsync({ side, password }));
  return (
    <Panel title="Connect to one node" aside="reads only">
      <form className="stack" onBlur={save} onSubmit={submit}>
        {problem !== null && <ProblemAlert error={problem} action="discover the cluster" />}
        <Group align="flex-start" gap="sm">
          <TextInput label="Host" placeholder="db-a1.example.net" {...form.getInputProps("host")} />
          <NumberInput
            label="Port"
            w={100}
            min={1}
            max={65_535}
            hideControls
            {...form.getInputProps("port")}
          />
          <TextInput
            label="Administrator’s user"
            autoComplete="off"
            {...form.getInputProps("administrator")}
          />
          <PasswordInput
            label="Administrator’s password"
            description="Used for this step only. It is not stored."
            inputWrapperOrder={["label", "input", "description", "error"]}
            w={280}
            autoComplete="off"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={form.errors.password}
          />
        </Group>
        <Group align="flex-start" gap="sm">
          <TextInput label="Cluster name" placeholder="milan" {...form.getInputProps("name")} />
          <TextInput label="Site" placeholder="Milan" {...form.getInputProps("site")} />
        </Group>
        <div className="row end">
          <Button
            type="submit"
            variant={discovered ? "default" : "filled"}
            loading={discover.isPending}
          >
            {discovered ? "Discover again" : "Discover the cluster"}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
