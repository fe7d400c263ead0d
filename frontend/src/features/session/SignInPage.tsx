import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { type SubmitEvent, useEffect, useState } from "react";
import { commands } from "@/api/commands";
import { Problem } from "@/api/problem";
import { queries } from "@/api/queries";
import { useGo } from "@/components/Go";
import { Brand } from "@/ui/Brand";
import css from "./SignInPage.module.css";

const refusal = (error: unknown): string =>
  error instanceof Problem && error.status === 401
    ? "Name or password is not right. Each attempt is in the audit record."
    : error instanceof Error
      ? error.message
      : String(error);

/** Only an address of this console may follow a sign-in. */
const safeNext = (next: string | undefined): string =>
  next?.startsWith("/") && !next.startsWith("//") ? next : "/links";

export function SignInPage() {
  const { next } = useSearch({ from: "/sign-in" });
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const session = useQuery(queries.session());
  const client = useQueryClient();
  const go = useGo();
  const signIn = useMutation({
    mutationFn: () => commands.signIn(username, password),
    onSuccess: (me) => client.setQueryData(queries.session().queryKey, me),
  });
  const signedIn = Boolean(session.data);
  useEffect(() => {
    if (signedIn) go(safeNext(next));
  }, [signedIn, next, go]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <main className={css.page}>
      <title>Sign in · Hawser</title>
      <form className={css.card} onSubmit={submit}>
        <h1 className={css.brand}>
          <Brand size={30} />
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
          error={signIn.isError ? refusal(signIn.error) : undefined}
          mb={18}
        />
        <Button type="submit" fullWidth loading={signIn.isPending}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
