import { Button } from "@mantine/core";
import { useState } from "react";
import { useCreateWebhook } from "@/api/resources/webhooks";
import type { Hook, Link } from "@/api/types";
import { useCan } from "@/components/use-session";
import { DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { WebhookForm } from "./WebhookForm";
import { webhookColumns } from "./webhook-columns";

/** Adds a webhook to the link. */
function CreateWebhookForm({ linkId, onDone }: { linkId: string; onDone: () => void }) {
  const create = useCreateWebhook(linkId);
  return (
    <WebhookForm hook={null} save={create.mutateAsync} submitLabel="Add webhook" onDone={onDone} />
  );
}

/** The webhooks of a link: receivers that are called before and after operations, and of events. */
export function WebhooksPanel(props: {
  link: Link;
  hooks: readonly Hook[];
  current: string | undefined;
  title?: string;
}) {
  const { link, hooks, current, title = "Webhooks" } = props;
  const [isAdding, setAdding] = useState(false);
  const canConfigure = useCan("configure");
  return (
    <Panel title={title} aside="shown as steps of each plan; every call is signed">
      <DataTable
        caption={`Webhooks of ${link.name}`}
        columns={webhookColumns(current, canConfigure)}
        rows={hooks}
        rowKey={(hook) => hook.id}
        empty="No webhooks."
      />
      {canConfigure && !isAdding && (
        <Button mt={12} variant="default" onClick={() => setAdding(true)}>
          Add webhook…
        </Button>
      )}
      {isAdding && (
        <section aria-label="New webhook" className="note">
          <CreateWebhookForm linkId={link.id} onDone={() => setAdding(false)} />
        </section>
      )}
    </Panel>
  );
}
