import { useCreateWebhook } from "@/api/resources/webhooks";
import { WebhookForm } from "./WebhookForm";

/** Adds a webhook to the link. */
export function CreateWebhookForm({ linkId, onDone }: { linkId: string; onDone: () => void }) {
  const create = useCreateWebhook(linkId);
  return (
    <WebhookForm hook={null} save={create.mutateAsync} submitLabel="Add webhook" onDone={onDone} />
  );
}
