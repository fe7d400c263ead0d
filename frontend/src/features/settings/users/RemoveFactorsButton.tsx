import { useRemoveFactorsOf } from "@/api/resources/second-factors";
import { ConfirmAction } from "@/components/ConfirmAction";

/** Helps a user who lost the device: removes all second factors of that user. */
export function RemoveFactorsButton({ username }: { username: string }) {
  const remove = useRemoveFactorsOf(username);
  return (
    <ConfirmAction
      label="Remove second factors"
      subject={`of ${username}`}
      title={`Remove the second factors of ${username}`}
      confirmLabel="Remove second factors"
      action={`remove the second factors of ${username}`}
      success={`Second factors of ${username} removed.`}
      onConfirm={() => remove.mutateAsync()}
    >
      The password is then enough to sign in. All sessions and tokens of {username} end. Until a
      second administrator confirms the change, or its waiting time is over, {username} does not
      count as a second person.
    </ConfirmAction>
  );
}
