import { Group, TextInput } from "@mantine/core";
import type { Registration, RegistrationSide } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { ACCOUNTS } from "@/domain/accounts";
import { useDraftForm } from "../use-draft-form";

const FROM = {
  monitor: "from the console’s hosts",
  operator: "from the console’s hosts",
  replication: "from every node of the other cluster, and the console",
};

/** The names of the accounts, and from where each may log in. */
export function AccountNamesForm({ draft, side }: { draft: Registration; side: RegistrationSide }) {
  const { form, problem, save } = useDraftForm({
    draft,
    prefix: `${side}.`,
    initialValues: { accounts: draft[side].accounts },
    toRequest: (values) => ({ [side]: values }),
  });
  return (
    <form className="stack" onBlur={save} onSubmit={(event) => event.preventDefault()}>
      {problem !== null && <ProblemAlert error={problem} action="store the accounts" />}
      {ACCOUNTS.map(({ key, label, use }) => (
        <Group align="flex-start" gap="sm" key={key}>
          <TextInput
            label={`${label} account`}
            description={use}
            autoComplete="off"
            {...form.getInputProps(`accounts.${key}.user`)}
          />
          <TextInput
            label={`${label} logs in from`}
            description={FROM[key]}
            placeholder="10.0.9.%"
            autoComplete="off"
            {...form.getInputProps(`accounts.${key}.host`)}
          />
        </Group>
      ))}
    </form>
  );
}
