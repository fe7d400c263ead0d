import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { sessionQuery, useSignIn } from "@/api/resources/session";
import { signInMethodsQuery } from "@/api/resources/sign-in";
import { useDataAge } from "@/components/use-data-age";
import { useServerForm } from "@/components/use-server-form";
import { formatAge } from "@/lib/format/time";
import { Logo } from "@/ui/Logo";
import { ProviderSignIn } from "./ProviderSignIn";
import { safeRedirectPath } from "./redirect-path";
import css from "./SignInPage.module.css";
import { refusalOf } from "./sign-in-refusal";

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

/** Goes to the address that was asked for as soon as there is a session. */
function useRedirectAfterSignIn(): void {
  const { next } = useSearch({ from: "/sign-in" });
  const router = useRouter();
  const session = useQuery(sessionQuery());
  const isSignedIn = Boolean(session.data);
  useEffect(() => {
    if (isSignedIn) router.history.push(safeRedirectPath(next));
  }, [isSignedIn, next, router]);
}

/** The sign-in form. */
export function SignInPage() {
  useRedirectAfterSignIn();
  const signIn = useSignIn();
  const { form, submit, problem } = useServerForm({
    initialValues: { username: "", password: "" },
  });
  const methods = useQuery(signInMethodsQuery()).data;
  const refusal = problem === null ? null : refusalOf(problem);
  return (
    <main className={css.page}>
      <title>Sign in · Hawser</title>
      <form className={css.card} onSubmit={submit((values) => signIn.mutateAsync(values))}>
        <h1 className={css.brand}>
          <Logo size={30} />
          Hawser
        </h1>
        <p className={css.line}>Disaster-recovery failover for linked Galera clusters</p>
        {methods && <ProviderSignIn methods={methods} />}
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
        <Button
          type="submit"
          fullWidth
          variant={methods?.oidc ? "default" : "filled"}
          loading={signIn.isPending}
        >
          Sign in
        </Button>
      </form>
    </main>
  );
}
