import { useRemovePasskey } from "@/api/resources/second-factors";
import type { Passkey } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { Timestamp } from "@/components/Timestamp";

/** The user's passkeys. */
export function PasskeyList({ passkeys }: { passkeys: Passkey[] }) {
  const remove = useRemovePasskey();
  if (passkeys.length === 0) return null;
  return (
    <ul aria-label="Passkeys" className="stack">
      {passkeys.map(({ id, name, rp_id, created_at, last_used_at }) => (
        <li key={id} className="row">
          <span>
            Passkey <strong>{name}</strong> for {rp_id}, added <Timestamp at={created_at} />, last
            used {last_used_at ? <Timestamp at={last_used_at} /> : "never"}
          </span>
          <ConfirmAction
            label="Remove passkey"
            subject={name}
            title={`Remove the passkey ${name}`}
            confirmLabel="Remove the passkey"
            action="remove the passkey"
            success="Passkey removed."
            onConfirm={() => remove.mutateAsync(id)}
          >
            It is not accepted any more. Remove it from the device as well.
          </ConfirmAction>
        </li>
      ))}
    </ul>
  );
}
