import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { useSignIn } from "@/api/resources/session";
import { useDataAge } from "@/components/use-data-age";
import { useServerForm } from "@/components/use-server-form";
import { formatAge } from "@/lib/format/time";
import css from "./SignInPage.module.css";
import { isFactorNeeded, refusalOf } from "./sign-in-refusal";

/** Counts down, from when it is first shown, the time that the server asks to wait. */
function RetryIn({ seconds }: { seconds: number }) {
  const [shownAtMs] = useState(() => Date.now());
  const left = seconds - (useDataAge(0, shownAtMs) ?? 0);
  return (
    <p className="dim">
      {left > 0 ? `Try again in ${formatAge(left)}.` : "You can try again now."}
    </p>
  );
}

/** Name and password. */
export function PasswordForm({
  onFactorNeeded,
  variant,
}: {
  /** The password was right, and the user has a second factor. */
  onFactorNeeded: () => void;
  /** Filled where it is the first choice. */
  variant: "default" | "filled";
}) {
  const signIn = useSignIn();
  const { form, submit, problem } = useServerForm({
    initialValues: { username: "", password: "" },
  });
  const refusal = problem === null ? null : refusalOf(problem);
  const send = submit((values) =>
    signIn.mutateAsync(values).catch((cause: unknown) => {
      if (isFactorNeeded(cause)) onFactorNeeded();
      throw cause;
    }),
  );
  return (
    <form onSubmit={send}>
      <TextInput
        label="Name"
        autoComplete="username"
        required
        withAsterisk={false}
        mb={12}
        {...form.getInputProps("username")}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        mb={18}
        {...form.getInputProps("password")}
        error={refusal?.ofPassword ? refusal.text : form.errors.password}
      />
      {refusal && !refusal.ofPassword && (
        <div className={css.refusal}>
          <p role="alert">{refusal.text}</p>
          {refusal.retryAfterS !== null && <RetryIn seconds={refusal.retryAfterS} />}
        </div>
      )}
      <Button type="submit" fullWidth variant={variant} loading={signIn.isPending}>
        Sign in
      </Button>
    </form>
  );
}
