import { useNavigate } from "@tanstack/react-router";
import { deliveriesQuery, useDeleteWebhook } from "@/api/resources/webhooks";
import type { Delivery, Hook } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ConfirmAction } from "@/components/ConfirmAction";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { usePagedQuery } from "@/components/use-paged-query";
import { useCan } from "@/components/use-session";
import { operationLabel } from "@/domain/operations";
import { type Column, DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { WebhookForm } from "./WebhookForm";
import { deliveryStatus } from "./webhook-text";

const COLUMNS: readonly Column<Delivery>[] = [
  { key: "sent", header: "Sent", cell: (delivery) => <Timestamp at={delivery.created_at} /> },
  {
    key: "trigger",
    header: "Trigger",
    cell: (delivery) => (
      <>
        {delivery.phase}{" "}
        {delivery.phase === "test" ? "" : operationLabel(delivery.kind).toLowerCase()}{" "}
        {delivery.run_id && (
          <AppLink to="/runs/$runId" params={{ runId: delivery.run_id }}>
            run
          </AppLink>
        )}
      </>
    ),
  },
  {
    key: "state",
    header: "State",
    cell: (delivery) => {
      const status = deliveryStatus(delivery);
      return <StatusChip tone={status.tone}>{status.word}</StatusChip>;
    },
  },
  {
    key: "answer",
    header: "Answer",
    cell: (delivery) => (
      <>
        {deliveryStatus(delivery).line}
        {delivery.answer && <div className="dim mono">{delivery.answer}</div>}
      </>
    ),
  },
];

function Deliveries({ hook }: { hook: Hook }) {
  const deliveries = usePagedQuery(deliveriesQuery(hook.id));
  return (
    <QueryBoundary<Delivery[]> query={deliveries} label="the deliveries">
      {(rows) => (
        <DataTable
          caption={`Deliveries of ${hook.name}`}
          columns={COLUMNS}
          rows={rows}
          rowKey={(delivery) => delivery.id}
          empty="No delivery yet."
          more={deliveries.more}
        />
      )}
    </QueryBoundary>
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
      action="delete the webhook"
      onConfirm={async () => {
        await deleting.mutateAsync();
        await navigate({ to: "/links/$linkId/settings", params: { linkId: hook.link_id } });
      }}
    >
      The webhook and the record of its deliveries are deleted. Operations no longer call it.
    </ConfirmAction>
  );
}

/** One webhook: its calls, and, for who may change it, its settings. */
export function WebhookDetail({ hook }: { hook: Hook }) {
  const may = useCan("configure");
  const navigate = useNavigate();
  return (
    <>
      <Panel
        title={`Calls of ${hook.name}`}
        aside={
          <AppLink to="/links/$linkId/settings" params={{ linkId: hook.link_id }}>
            close
          </AppLink>
        }
      >
        <Deliveries hook={hook} />
      </Panel>
      {may && (
        <Panel title={`Change ${hook.name}`} aside={<DeleteWebhook hook={hook} />}>
          <WebhookForm
            key={hook.id}
            linkId={hook.link_id}
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
