import type { CreateHookRequest, Hook } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { WebhookFields } from "./WebhookFields";
import { validateWebhook, webhookDefaults } from "./webhook-text";

interface FormProps {
  hook: Hook | null;
  save: (values: CreateHookRequest) => Promise<unknown>;
  submitLabel: string;
  onDone: () => void;
}

/** The fields of a webhook. The API never returns the secret, so its field starts empty. */
export function WebhookForm({ hook, save, submitLabel, onDone }: FormProps) {
  const { form, submit, problem } = useServerForm({ initialValues: webhookDefaults(hook) });
  const disabledReason = validateWebhook(form.values, hook !== null);
  const send = submit(async (values) => {
    await save(values);
    showSuccess(`Webhook ${values.name} saved.`);
    onDone();
  });
  return (
    <form onSubmit={send} className="stack">
      {problem !== null && <ProblemAlert error={problem} action="save the webhook" />}
      <WebhookFields form={form} isNew={hook === null} />
      <div className="row end">
        {disabledReason && <span className="dim grow">{disabledReason}</span>}
        <DisabledReasonButton
          disabledReason={disabledReason}
          type="submit"
          loading={form.submitting}
        >
          {submitLabel}
        </DisabledReasonButton>
      </div>
    </form>
  );
}
