import { Button } from "@mantine/core";
import { usePasskeySignIn } from "@/api/resources/second-factors";
import { ProblemAlert } from "@/components/ProblemAlert";
import { hasPasskeys } from "@/lib/passkey";

/** Signs in with a passkey alone. */
export function PasskeyButton() {
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
