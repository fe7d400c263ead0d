import { useTestWebhook } from "@/api/resources/webhooks";
import type { Hook } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { actionColumn, type Column, column, nameColumn } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import { LastDelivery } from "../LastDelivery";
import { TestButton } from "../TestButton";
import css from "./Webhooks.module.css";
import { webhookTrigger } from "./webhook-text";

/** Sends one test call to the webhook. */
function TestWebhookButton({ hook }: { hook: Hook }) {
  const test = useTestWebhook(hook);
  return <TestButton name={hook.name} test={test} queued={`Test call to ${hook.name} queued.`} />;
}

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
    nameColumn("Webhook", (hook) => <Receiver hook={hook} isCurrent={hook.id === current} />),
    column("Trigger", (hook) => (
      <>
        {webhookTrigger(hook)}
        <div className="dim">
          {hook.blocking ? "blocking, " : ""}timeout {hook.timeout_s} s
        </div>
      </>
    )),
    column(
      "State",
      (hook) => (
        <StatusChip tone={hook.enabled ? "ok" : "neutral"}>
          {hook.enabled ? "enabled" : "disabled"}
        </StatusChip>
      ),
      { nowrap: true },
    ),
    column("Last delivery", (hook) => <LastDelivery delivery={hook.last_delivery} />),
  ];
  if (!canConfigure) return columns;
  return [
    ...columns,
    actionColumn("Test", (hook) => <TestWebhookButton hook={hook} />, { align: "right" }),
  ];
}
