import { useNavigate } from "@tanstack/react-router";
import { deliveriesQuery, useDeleteWebhook, useUpdateWebhook } from "@/api/resources/webhooks";
import type { Hook } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ConfirmAction } from "@/components/ConfirmAction";
import { useCan } from "@/components/use-session";
import { Panel } from "@/ui/Panel";
import { Deliveries } from "./Deliveries";
import { WebhookForm } from "./WebhookForm";

/** Changes a webhook; without a new secret the current one stays. */
function UpdateWebhookForm({ hook, onDone }: { hook: Hook; onDone: () => void }) {
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

/** Deletes the webhook and its deliveries. */
function DeleteWebhook({ hook }: { hook: Hook }) {
  const navigate = useNavigate();
  const deleting = useDeleteWebhook(hook);
  return (
    <ConfirmAction
      label="Delete webhook"
      title={`Delete webhook ${hook.name}`}
      confirmLabel={`Delete ${hook.name}`}
      success={`Webhook ${hook.name} deleted.`}
      action="delete the webhook"
      onConfirm={async () => {
        await deleting.mutateAsync();
        await navigate({ to: "/links/$linkId/settings", params: { linkId: hook.link_id } });
      }}
    >
      The webhook and the list of its deliveries are deleted. Operations no longer call it. This
      cannot be undone.
    </ConfirmAction>
  );
}

/** One webhook: its deliveries and, for administrators, its settings. */
export function WebhookDetail({ hook }: { hook: Hook }) {
  const canConfigure = useCan("configure");
  const navigate = useNavigate();
  return (
    <>
      <Panel
        title={`Deliveries of ${hook.name}`}
        aside={
          <AppLink to="/links/$linkId/settings" params={{ linkId: hook.link_id }}>
            Close
          </AppLink>
        }
      >
        <Deliveries name={hook.name} query={deliveriesQuery(hook.id)} />
      </Panel>
      {canConfigure && (
        <Panel title={`Settings of ${hook.name}`} aside={<DeleteWebhook hook={hook} />}>
          <UpdateWebhookForm
            key={hook.id}
            hook={hook}
            onDone={() =>
              void navigate({ to: "/links/$linkId/settings", params: { linkId: hook.link_id } })
            }
          />
        </Panel>
      )}
    </>
  );
}
