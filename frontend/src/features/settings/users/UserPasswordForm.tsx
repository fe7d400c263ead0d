import type { User } from "@/api/types";
import { NewPasswordInput } from "@/components/NewPasswordInput";
import { useServerForm } from "@/components/use-server-form";
import { UserFieldForm } from "./UserFieldForm";
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
    <UserFieldForm
      onSubmit={send}
      submitLabel="Set password"
      disabledReason={form.values.password ? null : "Enter a password."}
      isPending={isPending}
      problem={problem}
      action={`set the password of ${user.username}`}
    >
      <NewPasswordInput
        size="xs"
        w={200}
        label={`New password of ${user.username}`}
        {...form.getInputProps("password")}
      />
    </UserFieldForm>
  );
}
