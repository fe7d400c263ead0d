import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { userFactorsQuery } from "@/api/resources/second-factors";
import type { User } from "@/api/types";
import { NewPasswordInput } from "@/components/NewPasswordInput";
import { useServerForm } from "@/components/use-server-form";
import { UserFieldForm } from "./UserFieldForm";
import { useSaveUser } from "./use-save-user";
import { factorCounts } from "./user-rules";

/** Sets another user's password; second factors outlive it, unless they are removed with it. */
export function UserPasswordForm({ user }: { user: User }) {
  const { save, isPending } = useSaveUser(user);
  const factors = useQuery(userFactorsQuery(user.username));
  const counts = factors.data ? factorCounts(factors.data) : "";
  const { form, submit, problem } = useServerForm({
    initialValues: { password: "", ends_factors: false },
  });
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
      <div className="stack">
        <NewPasswordInput
          size="xs"
          w={200}
          label={`New password of ${user.username}`}
          {...form.getInputProps("password")}
        />
        <p className="dim">Sessions and tokens end with it.</p>
        {counts && (
          <Checkbox
            size="xs"
            label={`Remove second factors too: ${counts}`}
            description="Otherwise they stay, and whoever holds one may sign in with it."
            {...form.getInputProps("ends_factors", { type: "checkbox" })}
          />
        )}
      </div>
    </UserFieldForm>
  );
}
