import type { Hook } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import type { Column } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import { LastDelivery } from "../LastDelivery";
import { TestWebhookButton } from "./TestWebhookButton";
import css from "./Webhooks.module.css";
import { webhookTrigger } from "./webhook-text";

function Receiver({ hook, isCurrent }: { hook: Hook; isCurrent: boolean }) {
  return (
    <>
      <AppLink
        to="/links/$linkId/settings"
        params={{ linkId: hook.link_id }}
        search={{ hook: hook.id }}
        className="strong"
        aria-current={isCurrent}
      >
        {hook.name}
      </AppLink>
      <div className={`dim mono ${css.url}`}>{hook.url}</div>
    </>
  );
}

/** The columns of the webhook table; those who may configure the link can send test calls. */
export function webhookColumns(
  current: string | undefined,
  canConfigure: boolean,
): readonly Column<Hook>[] {
  const columns: Column<Hook>[] = [
    {
      key: "receiver",
      header: "Webhook",
      isRowHeader: true,
      cell: (hook) => <Receiver hook={hook} isCurrent={hook.id === current} />,
    },
    {
      key: "trigger",
      header: "Trigger",
      cell: (hook) => (
        <>
          {webhookTrigger(hook)}
          <div className="dim">
            {hook.blocking ? "blocking, " : ""}timeout {hook.timeout_s} s
          </div>
        </>
      ),
    },
    {
      key: "state",
      header: "State",
      nowrap: true,
      cell: (hook) => (
        <StatusChip tone={hook.enabled ? "ok" : "neutral"}>
          {hook.enabled ? "enabled" : "disabled"}
        </StatusChip>
      ),
    },
    {
      key: "last",
      header: "Last delivery",
      cell: (hook) => <LastDelivery delivery={hook.last_delivery} />,
    },
  ];
  if (!canConfigure) return columns;
  return [
    ...columns,
    {
      key: "test",
      header: <span className="sr-only">Test</span>,
      align: "right",
      cell: (hook) => <TestWebhookButton hook={hook} />,
    },
  ];
}
