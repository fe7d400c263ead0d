import { Button } from "@mantine/core";
import { useUnlockUser } from "@/api/resources/users";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";

/** Lifts the lock that failed sign-ins put on the user. */
export function UnlockButton({ username }: { username: string }) {
  const unlock = useUnlockUser(username);
  const onSuccess = () => showSuccess(`Sign-in of ${username} unlocked.`);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={unlock.isPending}
        onClick={() => unlock.mutate(undefined, { onSuccess })}
      >
        Unlock sign-in
      </Button>
      {unlock.isError && (
        <ProblemAlert error={unlock.error} action={`unlock the sign-in of ${username}`} />
      )}
    </>
  );
}
