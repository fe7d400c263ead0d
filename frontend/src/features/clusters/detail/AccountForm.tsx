import { TextInput } from "@mantine/core";
import { useReplaceAccount } from "@/api/resources/clusters";
import type { Cluster } from "@/api/types";
import { ChangeForm } from "@/components/ChangeForm";
import { accountBody, PasswordSource } from "@/components/PasswordSource";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";
import type { Account } from "@/domain/accounts";
import { AcceptUnreachable } from "./AcceptUnreachable";

/** A password is never returned. */
const NOTHING_GIVEN: Parameters<typeof accountBody>[0] = {
  user: "",
  source: "sealed",
  password: "",
  reference: "",
};

interface AccountFormProps {
  cluster: Cluster;
  account: Account;
  close: () => void;
}

/** Replaces one account of a cluster. The fields begin empty. */
export function AccountForm({ cluster, account, close }: AccountFormProps) {
  const replace = useReplaceAccount(cluster.id, account.key);
  const name = account.label.toLowerCase();
  const change = useChangeForm({
    initialValues: { ...NOTHING_GIVEN, accept_unreachable: false, reason: "" },
    version: cluster.version,
    save: async (values) => {
      const { accept_unreachable, reason } = values.body;
      const body = { ...accountBody(values.body), accept_unreachable, reason };
      await replace.mutateAsync({ version: values.version, body });
      showSuccess(`The ${name} account of ${cluster.name} is replaced.`);
      close();
    },
  });
  const { form } = change;
  return (
    <ChangeForm
      change={change}
      action={`replace the ${name} account`}
      submitLabel={`Try and save ${name} account`}
      missing={form.getValues().user === "" ? "Enter the user of the account." : null}
    >
      <p className="dim">
        The account is tried on every node first. Until it is stored, Hawser uses the old one.
      </p>
      <TextInput label="User" autoComplete="off" {...form.getInputProps("user")} />
      <PasswordSource
        source={form.getInputProps("source")}
        password={form.getInputProps("password")}
        reference={form.getInputProps("reference")}
      />
      <AcceptUnreachable form={form} refusal={change.refusal} />
    </ChangeForm>
  );
}
