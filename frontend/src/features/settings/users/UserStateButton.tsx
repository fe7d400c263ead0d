import { Button } from "@mantine/core";
import type { User } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useSaveUser } from "./use-save-user";

/** Disables a user after a confirmation, or enables the user again. */
export function UserStateButton({ user }: { user: User }) {
  const { username } = user;
  const { save, isPending, error } = useSaveUser(user);
  if (user.is_active)
    return (
      <ConfirmAction
        label={`Disable ${username}`}
        title={`Disable ${username}`}
        confirmLabel={`Disable ${username}`}
        action={`disable ${username}`}
        onConfirm={() => save({ is_active: false }, `User ${username} disabled.`)}
      >
        {username} can no longer sign in. All sessions and tokens of {username} end. You can enable
        the user again; new tokens are then needed.
      </ConfirmAction>
    );
  const enable = () => save({ is_active: true }, `User ${username} enabled.`);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={isPending}
        onClick={() => void enable().catch(() => undefined)}
      >
        Enable {username}
      </Button>
      {error && <ProblemAlert error={error} action={`enable ${username}`} />}
    </>
  );
}
