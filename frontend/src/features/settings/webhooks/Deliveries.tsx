import type { PagedQuery } from "@/api/pages";
import type { Delivery } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { usePagedQuery } from "@/components/use-paged-query";
import { operationLabel } from "@/domain/operations";
import { type Column, column, DataTable } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import { deliveryStatus } from "./webhook-text";

const columns = (protocol: string): readonly Column<Delivery>[] => [
  column("Sent", (delivery) => <Timestamp at={delivery.created_at} />),
  column("Trigger", (delivery) => (
    <>
      {delivery.phase}{" "}
      {delivery.phase === "test" ? "" : operationLabel(delivery.kind).toLowerCase()}{" "}
      {delivery.run_id && (
        <AppLink to="/runs/$runId" params={{ runId: delivery.run_id }}>
          View run
        </AppLink>
      )}
    </>
  )),
  column("State", (delivery) => {
    const status = deliveryStatus(delivery);
    return <StatusChip tone={status.tone}>{status.word}</StatusChip>;
  }),
  column("Response", (delivery) => (
    <>
      {deliveryStatus(delivery, protocol).line}
      {delivery.answer && <div className="dim mono">{delivery.answer}</div>}
    </>
  )),
];

/** The calls of a webhook or destination; its statuses are those of the protocol. */
export function Deliveries(props: {
  name: string;
  query: PagedQuery<Delivery>;
  protocol?: string;
}) {
  const { name, query, protocol = "HTTP" } = props;
  const deliveries = usePagedQuery(query);
  return (
    <QueryBoundary<Delivery[]> query={deliveries} label="the deliveries">
      {(rows) => (
        <DataTable
          caption={`Deliveries of ${name}`}
          columns={columns(protocol)}
          rows={rows}
          rowKey={(delivery) => delivery.id}
          empty="No deliveries yet."
          more={deliveries.more}
        />
      )}
    </QueryBoundary>
  );
}
