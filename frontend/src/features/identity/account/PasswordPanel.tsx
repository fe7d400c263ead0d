import { Button, PasswordInput } from "@mantine/core";
import { useChangePassword } from "@/api/resources/session";
import { NewPasswordInput } from "@/components/NewPasswordInput";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { Panel } from "@/ui/Panel";

/** The user's own password. A change ends all other sessions and all tokens of the user. */
export function PasswordPanel({
  isInitial = false,
  onChanged,
}: {
  /** An administrator set the present one. */
  isInitial?: boolean;
  onChanged?: () => void;
}) {
  const change = useChangePassword();
  const { form, submit, problem } = useServerForm({
    initialValues: { current_password: "", new_password: "", repeated: "" },
    validate: {
      repeated: (value, values) =>
        value === values.new_password ? null : "The passwords do not match.",
    },
    validateInputOnBlur: ["repeated"],
  });
  const send = submit(async ({ current_password, new_password }) => {
    await change.mutateAsync({ current_password, new_password });
    form.reset();
    showSuccess("Password changed. Your other sessions and all your tokens have ended.");
    onChanged?.();
  });
  const shared = { w: 200, required: true, withAsterisk: false };
  return (
    <Panel title="Your password">
      <p className="dim">
        {isInitial
          ? "An administrator set your password. Choose one of your own."
          : "A change ends your other sessions and all your tokens."}
      </p>
      <form onSubmit={send} className="row top note">
        <PasswordInput
          {...shared}
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps("current_password")}
        />
        <NewPasswordInput
          {...shared}
          label="New password"
          {...form.getInputProps("new_password")}
        />
        <PasswordInput
          {...shared}
          label="Repeat new password"
          autoComplete="new-password"
          {...form.getInputProps("repeated")}
        />
        <Button type="submit" variant="default" className="beside" loading={change.isPending}>
          Change password
        </Button>
      </form>
      {problem !== null && <ProblemAlert error={problem} action="change the password" />}
    </Panel>
  );
}
