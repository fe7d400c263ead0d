import { Button, TextInput } from "@mantine/core";
import type { User } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
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
    <form onSubmit={send}>
      <div className="row top">
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
        <Button
          type="submit"
          size="xs"
          className="beside"
          variant="default"
          loading={isPending}
          disabled={names.join(", ") === current}
        >
          Save host accounts
        </Button>
      </div>
      {problem !== null && (
        <ProblemAlert error={problem} action={`save the host accounts of ${user.username}`} />
      )}
    </form>
  );
}
