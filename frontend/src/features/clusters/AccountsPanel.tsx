import { Group, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { PasswordSource } from "@/components/PasswordSource";
import { ACCOUNTS } from "@/domain/accounts";
import { Panel } from "@/ui/Panel";
import type { FormValues } from "./cluster-form";

/** The three accounts that Hawser uses on a cluster. */
export function AccountsPanel({ form }: { form: UseFormReturnType<FormValues> }) {
  return (
    <Panel title="Accounts" aside="Passwords are stored encrypted and never shown again">
      <div className="stack attest">
        {ACCOUNTS.map(({ key, label, use }) => (
          <Group align="flex-start" gap="sm" key={key}>
            <TextInput
              label={`${label} user`}
              description={use}
              autoComplete="off"
              {...form.getInputProps(`credentials.${key}.user`)}
            />
            <PasswordSource
              name={label}
              source={form.getInputProps(`credentials.${key}.source`)}
              password={form.getInputProps(`credentials.${key}.password`)}
              reference={form.getInputProps(`credentials.${key}.reference`)}
            />
          </Group>
        ))}
      </div>
    </Panel>
  );
}
