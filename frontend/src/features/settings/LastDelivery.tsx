import type { Delivery } from "@/api/types";
import { StatusChip } from "@/ui/StatusChip";
import { deliveryStatus } from "./webhooks/webhook-text";

/** How the last call or message of a webhook or destination ended. */
export function LastDelivery({
  delivery,
  protocol,
}: {
  delivery: Delivery | null;
  protocol?: string;
}) {
  if (!delivery) return <span className="dim">none</span>;
  const status = deliveryStatus(delivery, protocol);
  return (
    <>
      <StatusChip tone={status.tone}>{status.word}</StatusChip>
      <div className="dim">{status.line}</div>
    </>
  );
}
