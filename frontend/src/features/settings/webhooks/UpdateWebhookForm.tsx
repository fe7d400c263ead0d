import { useUpdateWebhook } from "@/api/resources/webhooks";
import type { Hook } from "@/api/types";
import { WebhookForm } from "./WebhookForm";

/** Changes a webhook; without a new secret the current one stays. */
export function UpdateWebhookForm({ hook, onDone }: { hook: Hook; onDone: () => void }) {
  const update = useUpdateWebhook(hook);
  return (
    <WebhookForm
      hook={hook}
      save={({ secret, ...values }) => update.mutateAsync(secret ? { ...values, secret } : values)}
      submitLabel={`Save ${hook.name}`}
      onDone={onDone}
    />
  );
}
