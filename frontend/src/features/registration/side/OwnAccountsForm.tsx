import { Button, Group, TextInput } from "@mantine/core";
import { useEnterAccounts } from "@/api/resources/registrations";
import type { Registration, RegistrationSide } from "@/api/types";
import { accountBody, PasswordSource } from "@/components/PasswordSource";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { ACCOUNTS } from "@/domain/accounts";
import { SqlBlock } from "@/ui/SqlBlock";

type Given = Parameters<typeof accountBody>[0];

const required = (value: string) => (value ? null : "Required");
const each = {
  user: required,
  password: (value: string, { accounts }: { accounts: Record<string, Given> }, path: string) =>
    isSealed(accounts, path) ? required(value) : null,
  reference: (value: string, { accounts }: { accounts: Record<string, Given> }, path: string) =>
    isSealed(accounts, path) ? null : required(value.trim()),
};

/** `path` is that of a field, such as `accounts.monitor.password`. */
function isSealed(accounts: Record<string, Given>, path: string) {
  return accounts[path.split(".")[1] ?? ""]?.source === "sealed";
}

/** The statements for the user to run, and the passwords that were chosen, or where they are. */
export function OwnAccountsForm({ draft, side }: { draft: Registration; side: RegistrationSide }) {
  const enter = useEnterAccounts(draft.id);
  const { accounts, statements } = draft[side];
  const account = (role: keyof typeof accounts): Given => ({
    user: accounts[role].user,
    source: "sealed",
    password: "",
    reference: "",
  });
  const { form, submit, problem } = useServerForm({
    initialValues: {
      accounts: {
        monitor: account("monitor"),
        operator: account("operator"),
        replication: account("replication"),
      },
    },
    validate: { accounts: { monitor: each, operator: each, replication: each } },
  });
  const onSubmit = submit(({ accounts: { monitor, operator, replication } }) =>
    enter.mutateAsync({
      side,
      accounts: {
        monitor: accountBody(monitor),
        operator: accountBody(operator),
        replication: accountBody(replication),
      },
    }),
  );
  return (
    <form className="stack" onSubmit={onSubmit}>
      {problem !== null && <ProblemAlert error={problem} action="store the accounts" />}
      <p className="dim">
        Replace each “choose a password”, and run the statements on one node of the cluster.
      </p>
      <SqlBlock statements={statements.own} label="the statements for the accounts" />
      {ACCOUNTS.map(({ key, label }) => (
        <Group align="flex-end" gap="sm" key={key}>
          <TextInput
            label={`${label} user`}
            autoComplete="off"
            {...form.getInputProps(`accounts.${key}.user`)}
          />
          <PasswordSource
            name={label}
            source={form.getInputProps(`accounts.${key}.source`)}
            password={form.getInputProps(`accounts.${key}.password`)}
            reference={form.getInputProps(`accounts.${key}.reference`)}
          />
        </Group>
      ))}
      <div className="row end">
        <Button type="submit" loading={enter.isPending}>
          Store the accounts
        </Button>
      </div>
    </form>
  );
}
