import { Button } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import { useBeginAtProvider } from "@/api/resources/sign-in";
import type { SignInMethods } from "@/api/types";
import { keepNext } from "./redirect-path";
import css from "./SignInPage.module.css";
import { refusalOf } from "./sign-in-refusal";

/** The button that leads to the provider, or why it cannot be used now. */
function ProviderButton({ oidc }: { oidc: NonNullable<SignInMethods["oidc"]> }) {
  const { next } = useSearch({ from: "/sign-in" });
  const begin = useBeginAtProvider();
  const go = async () => {
    keepNext(next);
    const { authorization_url } = await begin.mutateAsync();
    window.location.assign(authorization_url);
  };
  const problem = oidc.is_available
    ? begin.error && refusalOf(begin.error).text
    : `${oidc.name} is not available: ${oidc.problem}. Local users can sign in with their password.`;
  return (
    <>
      <Button
        fullWidth
        loading={begin.isPending}
        disabled={!oidc.is_available}
        onClick={() => void go().catch(() => undefined)}
      >
        Sign in with {oidc.name}
      </Button>
      {problem && (
        <div className={css.refusal}>
          <p role="alert">{problem}</p>
        </div>
      )}
    </>
  );
}

/** Whose passwords the form below takes. */
const passwordsOf = ({ local, oidc, directory }: SignInMethods): string | null => {
  if (directory && local === "break_glass")
    return `Name and password of ${directory}. Local passwords are for emergencies only and raise a warning.`;
  if (local === "break_glass")
    return "Local passwords are for emergencies only and raise a warning.";
  if (directory) return `Name and password of ${directory}, or of a local user.`;
  return oidc ? "Or sign in as a local user." : null;
};

/** The other ways to sign in than a local password; nothing if there are none. */
export function ProviderSignIn({ methods }: { methods: SignInMethods }) {
  const passwords = passwordsOf(methods);
  return (
    <div className={css.ways}>
      {methods.oidc && <ProviderButton oidc={methods.oidc} />}
      {passwords && <p className="dim">{passwords}</p>}
    </div>
  );
}
