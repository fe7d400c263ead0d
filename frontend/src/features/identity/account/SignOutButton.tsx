import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useCurrentUser } from "@/components/use-session";
import { useSignOut } from "@/components/use-sign-out";

/** The way out of a page that is the only one of its user, who has no menu. */
export function SignOutButton() {
  const user = useCurrentUser();
  const signingOut = useMutation({ mutationFn: useSignOut() });
  if (!user) return null;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        loading={signingOut.isPending}
        onClick={() => signingOut.mutate(user)}
      >
        Sign out
      </Button>
      {signingOut.isError && <ProblemAlert error={signingOut.error} action="sign out" />}
    </>
  );
}
