import { useUpdateUser } from "@/api/resources/users";
import type { UpdateUserRequest, User } from "@/api/types";
import { showSuccess } from "@/components/toast";
import { sideEffect } from "./user-rules";

/** Saves a change of a user and reports it, with the sessions and tokens that it ended. */
export function useSaveUser(user: User) {
  const update = useUpdateUser(user.username);
  const save = async (change: UpdateUserRequest, message: string) => {
    await update.mutateAsync(change);
    showSuccess(`${message} ${sideEffect(change)}`.trim());
  };
  return { save, isPending: update.isPending, error: update.error };
}
