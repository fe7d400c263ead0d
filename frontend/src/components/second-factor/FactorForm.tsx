import { Button, PasswordInput, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { hasPasskeys } from "@/lib/passkey";

interface FactorFormProps {
  /** How the user can do it, as the server names it. */
  ways: string[];
  /** The button's text. */
  label: string;
  /** For "Could not {action}" where it fails. */
  action: string;
  onCode: (code: string) => Promise<unknown>;
  onPasskey: () => Promise<unknown>;
  onPassword?: (password: string) => Promise<unknown>;
  /** What else can be done, such as to cancel. */
  children?: ReactNode;
}

/** Asks for one of the user's factors, or for the password where the user has none. */
export function FactorForm(props: FactorFormProps) {
  const { ways, label, action, onCode, onPasskey, onPassword, children } = props;
  const { form, submit, attempt, problem } = useServerForm({
    initialValues: { code: "", password: "" },
  });
  const [isPending, setPending] = useState(false);
  const asksCode = ways.includes("totp") || ways.includes("recovery_code");
  const asksPassword = ways.includes("password") && onPassword !== undefined;
  const canPasskey = ways.includes("passkey") && hasPasskeys();
  const during = async (call: Promise<unknown>) => {
    setPending(true);
    try {
      await call;
    } finally {
      setPending(false);
    }
  };
  const send = submit(({ code, password }) =>
    during(asksPassword ? onPassword(password) : onCode(code)),
  );
  return (
    <form onSubmit={send} className="stack">
      {canPasskey && (
        <Button
          variant={asksCode ? "default" : "filled"}
          loading={isPending}
          onClick={() => void attempt(form.getValues(), () => during(onPasskey()))}
        >
          Use a passkey
        </Button>
      )}
      {asksCode && (
        <TextInput
          label="Code of the app, or a recovery code"
          autoComplete="one-time-code"
          data-autofocus
          required
          withAsterisk={false}
          {...form.getInputProps("code")}
        />
      )}
      {asksPassword && (
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus
          required
          withAsterisk={false}
          {...form.getInputProps("password")}
        />
      )}
      {ways.includes("passkey") && !canPasskey && (
        <p className="dim">
          This browser cannot use passkeys here: they need HTTPS and a current browser.
        </p>
      )}
      {ways.includes("sign_in") && <p>Sign out, sign in again, and repeat what you were doing.</p>}
      {problem !== null && <ProblemAlert error={problem} action={action} />}
      <div className="row">
        {(asksCode || asksPassword) && (
          <Button type="submit" loading={isPending}>
            {label}
          </Button>
        )}
        {children}
      </div>
    </form>
  );
}
