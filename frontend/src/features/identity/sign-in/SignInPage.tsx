import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { usePasskeySignIn, waitingWaysQuery } from "@/api/resources/second-factors";
import { sessionQuery } from "@/api/resources/session";
import { signInMethodsQuery } from "@/api/resources/sign-in";
import { ProblemAlert } from "@/components/ProblemAlert";
import { hasPasskeys } from "@/lib/passkey";
import { Logo } from "@/ui/Logo";
import { PasswordForm } from "./PasswordForm";
import { ProviderSignIn } from "./ProviderSignIn";
import { safeRedirectPath } from "./redirect-path";
import { SecondStep } from "./SecondStep";
import css from "./SignInPage.module.css";

/** Signs in with a passkey alone. */
function PasskeyButton() {
  const signIn = usePasskeySignIn();
  if (!hasPasskeys()) return null;
  return (
    <>
      <Button
        variant="default"
        fullWidth
        mt={10}
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        Sign in with a passkey
      </Button>
      {signIn.isError && <ProblemAlert error={signIn.error} action="sign in with a passkey" />}
    </>
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

/** By a provider, name and password, or a passkey; then the second factor of a user who has one. */
export function SignInPage() {
  useRedirectAfterSignIn();
  const { data: ways = [] } = useQuery(waitingWaysQuery());
  const methods = useQuery(signInMethodsQuery()).data;
  const [isBack, setBack] = useState(false);
  return (
    <main className={css.page}>
      <title>Sign in · Hawser</title>
      <div className={css.card}>
        <h1 className={css.brand}>
          <Logo size={30} />
          Hawser
        </h1>
        <p className={css.line}>Disaster-recovery failover for linked Galera clusters</p>
        {ways.length > 0 && !isBack ? (
          <SecondStep ways={ways} onBack={() => setBack(true)} />
        ) : (
          <>
            {methods && <ProviderSignIn methods={methods} />}
            <PasswordForm
              onFactorNeeded={() => setBack(false)}
              variant={methods?.oidc?.is_available ? "default" : "filled"}
            />
            <PasskeyButton />
          </>
        )}
      </div>
    </main>
  );
}
