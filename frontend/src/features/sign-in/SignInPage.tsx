import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { type SubmitEvent, useEffect, useState } from "react";
import { sessionQuery, useSignIn } from "@/api/resources/session";
import { useDataAge } from "@/components/use-data-age";
import { formatAge } from "@/lib/format/time";
import { Logo } from "@/ui/Logo";
import css from "./SignInPage.module.css";
import { refusalOf } from "./sign-in-refusal";

/** How long the server asks to wait, counted down from when it said so. */
function RetryIn({ seconds, saidAtMs }: { seconds: number; saidAtMs: number }) {
  const left = seconds - (useDataAge(0, saidAtMs) ?? 0);
  return (
    <p className="dim">
      {left > 0 ? `Try again in ${formatAge(left)}.` : "You may try again now."}
    </p>
  );
}

/** Only an address of this console may follow a sign-in. */
const safeRedirectPath = (next: string | undefined): string =>
  next?.startsWith("/") && !next.startsWith("//") ? next : "/links";

export function SignInPage() {
  const { next } = useSearch({ from: "/sign-in" });
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [refusedAtMs, setRefusedAtMs] = useState(0);
  const session = useQuery(sessionQuery());
  const router = useRouter();
  const signIn = useSignIn();
  const refusal = signIn.isError ? refusalOf(signIn.error) : null;
  const signedIn = Boolean(session.data);
  useEffect(() => {
    if (signedIn) router.history.push(safeRedirectPath(next));
  }, [signedIn, next, router]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    signIn.mutate({ username, password }, { onError: () => setRefusedAtMs(Date.now()) });
  };
  return (
    <main className={css.page}>
      <title>Sign in · Hawser</title>
      <form className={css.card} onSubmit={submit}>
        <h1 className={css.brand}>
          <Logo size={30} />
          Hawser
        </h1>
        <p className={css.line}>Moves the link between two Galera clusters, and shows its proof.</p>
        <TextInput
          label="Name"
          autoComplete="username"
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          required
          withAsterisk={false}
          mb={12}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          required
          withAsterisk={false}
          error={refusal?.ofPassword ? refusal.text : undefined}
          mb={18}
        />
        {refusal && !refusal.ofPassword && (
          <div className={css.refusal}>
            <p role="alert">{refusal.text}</p>
            {refusal.retryAfterS !== null && (
              <RetryIn seconds={refusal.retryAfterS} saidAtMs={refusedAtMs} />
            )}
          </div>
        )}
        <Button type="submit" fullWidth loading={signIn.isPending}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
