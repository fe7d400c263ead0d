import { TextInput } from "@mantine/core";
import type { User } from "@/api/types";
import { useServerForm } from "@/components/use-server-form";
import { UserFieldForm } from "./UserFieldForm";
import { useSaveUser } from "./use-save-user";
import { hostAccounts } from "./user-rules";

/** The operating system accounts whose shell commands are attributed to the user. */
export function HostAccountsForm({ user }: { user: User }) {
  const current = user.os_users.join(", ");
  const { save, isPending } = useSaveUser(user);
  const { form, submit, problem } = useServerForm({ initialValues: { os_users: current } });
  const names = hostAccounts(form.values.os_users);
  const send = submit(() => save({ os_users: names }, `Host accounts of ${user.username} saved.`));
  return (
    <UserFieldForm
      onSubmit={send}
      submitLabel="Save host accounts"
      disabledReason={names.join(", ") === current ? "The host accounts are unchanged." : null}
      isPending={isPending}
      problem={problem}
      action={`save the host accounts of ${user.username}`}
    >
      <TextInput
        size="xs"
        label="Host accounts"
        description="Separated by commas. Shell commands of these accounts on the Hawser host count as this user's."
        inputWrapperOrder={["label", "input", "description", "error"]}
        placeholder="none"
        w={260}
        spellCheck={false}
        autoComplete="off"
        {...form.getInputProps("os_users")}
      />
    </UserFieldForm>
  );
}
