import { Button, Group, PasswordInput, TextInput } from "@mantine/core";
import { useEnterAccounts } from "@/api/resources/registrations";
import type { Registration, RegistrationSide } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { ACCOUNTS } from "@/domain/accounts";
import { SqlBlock } from "@/ui/SqlBlock";

const required = (value: string) => (value ? null : "Required");

/** The statements for the user to run, and the passwords that were chosen. */
export function OwnAccountsForm({ draft, side }: { draft: Registration; side: RegistrationSide }) {
  const enter = useEnterAccounts(draft.id);
  const { accounts, statements } = draft[side];
  const account = (role: keyof typeof accounts) => ({ user: accounts[role].user, password: "" });
  const each = { user: required, password: required };
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
  const onSubmit = submit((values) => enter.mutateAsync({ side, ...values }));
  return (
    <form className="stack" onSubmit={onSubmit}>
      {problem !== null && <ProblemAlert error={problem} action="store the accounts" />}
      <p className="dim">
        Replace each “choose a password”, and run the statements on one node of the cluster.
      </p>
      <SqlBlock statements={statements.own} label="the statements for the accounts" />
      {ACCOUNTS.map(({ key, label }) => (
        <Group align="flex-start" gap="sm" key={key}>
          <TextInput
            label={`${label} user`}
            autoComplete="off"
            {...form.getInputProps(`accounts.${key}.user`)}
          />
          <PasswordInput
            label={`${label} password`}
            w={240}
            autoComplete="new-password"
            {...form.getInputProps(`accounts.${key}.password`)}
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
