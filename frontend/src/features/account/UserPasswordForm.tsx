import { Button, PasswordInput } from "@mantine/core";
import type { User } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { useSaveUser } from "./use-save-user";

/** Sets another user's password. */
export function UserPasswordForm({ user }: { user: User }) {
  const { save, isPending } = useSaveUser(user);
  const { form, submit, problem } = useServerForm({ initialValues: { password: "" } });
  const send = submit(async (values) => {
    await save(values, `Password of ${user.username} set.`);
    form.reset();
  });
  return (
    <form onSubmit={send}>
      <div className="row top">
        <PasswordInput
          size="xs"
          w={200}
          label={`New password of ${user.username}`}
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
        <Button
          type="submit"
          size="xs"
          className="beside"
          variant="default"
          loading={isPending}
          disabled={!form.values.password}
        >
          Set password
        </Button>
      </div>
      {problem !== null && (
        <ProblemAlert error={problem} action={`set the password of ${user.username}`} />
      )}
    </form>
  );
}
