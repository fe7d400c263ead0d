import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { Problem } from "@/api/problem";
import { queryKeys } from "@/api/query-keys";
import { finishAtProvider } from "@/api/resources/sign-in";
import { AppLink } from "@/components/AppLink";
import { Logo } from "@/ui/Logo";
import { takeNext } from "./redirect-path";
import css from "./SignInPage.module.css";
import { refusalOf } from "./sign-in-refusal";

/** Why the sign-in was refused, and the way back. */
function Refused({ error }: { error: unknown }) {
  return (
    <>
      <h1 className={css.brand}>
        {error instanceof Problem ? error.title : "The sign-in could not be finished"}
      </h1>
      <div className={css.refusal}>
        <p role="alert">{refusalOf(error).text}</p>
      </div>
      <AppLink to="/sign-in">Back to sign-in</AppLink>
    </>
  );
}

/** Where the provider sends the browser back to: finishes the sign-in, or says why not. */
export function CallbackPage() {
  const { state = "", code, iss, error } = useSearch({ from: "/sign-in/callback" });
  const router = useRouter();
  const client = useQueryClient();
  const finished = useQuery(finishAtProvider({ state, code, iss, error }));
  useEffect(() => {
    if (!finished.data) return;
    client.setQueryData(queryKeys.session, finished.data);
    router.history.replace(takeNext());
  }, [finished.data, client, router]);
  return (
    <main className={css.page}>
      <title>Sign in · Hawser</title>
      <div className={css.card}>
        {finished.error ? (
          <Refused error={finished.error} />
        ) : (
          <>
            <h1 className={css.brand}>
              <Logo size={30} />
              Hawser
            </h1>
            <p className={css.line} role="status">
              Signing in …
            </p>
          </>
        )}
      </div>
    </main>
  );
}
