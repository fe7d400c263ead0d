import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { commands } from "@/api/commands";
import type { Hook, LinkDetail } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useCan } from "@/components/use-session";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { WebhookForm } from "./WebhookForm";
import css from "./Webhooks.module.css";
import { deliveryStatus, webhookTrigger } from "./webhook-text";

function LastDelivery({ hook }: { hook: Hook }) {
  if (!hook.last_delivery) return <span className="dim">never called</span>;
  const status = deliveryStatus(hook.last_delivery);
  return (
    <>
      <StatusChip tone={status.tone}>{status.word}</StatusChip>
      <div className="dim">{status.line}</div>
    </>
  );
}

function Row({ hook, current }: { hook: Hook; current: boolean }) {
  const may = useCan("configure");
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: () => commands.testHook(hook.id),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ["hooks", hook.link_id] });
      void client.invalidateQueries({ queryKey: ["deliveries", hook.id] });
    },
  });
  return (
    <>
      <tr>
        <td>
          <AppLink
            to="/links/$linkId/settings"
            params={{ linkId: hook.link_id }}
            search={{ hook: hook.id }}
            className="strong"
            aria-current={current}
          >
            {hook.name}
          </AppLink>
          <div className={`dim mono ${css.url}`}>{hook.url}</div>
        </td>
        <td>
          {webhookTrigger(hook)}
          <div className="dim">
            {hook.blocking ? "blocking, " : ""}
            {hook.timeout_s} s to answer
          </div>
        </td>
        <td className="nowrap">
          {hook.enabled ? (
            <StatusChip tone="ok">in use</StatusChip>
          ) : (
            <StatusChip tone="neutral">not in use</StatusChip>
          )}
        </td>
        <td>
          <LastDelivery hook={hook} />
        </td>
        <td className="num">
          {may && (
            <Button
              size="xs"
              variant="default"
              loading={test.isPending}
              onClick={() => test.mutate()}
              aria-label={`Call ${hook.name} once, as a test`}
            >
              Test
            </Button>
          )}
        </td>
      </tr>
      {test.isError && (
        <tr>
          <td colSpan={5}>
            <ProblemAlert error={test.error} action="Testing" />
          </td>
        </tr>
      )}
    </>
  );
}

/** The webhooks of a link: whom it tells before and after an act, and of events. */
export function WebhooksPanel(props: {
  link: LinkDetail;
  hooks: readonly Hook[];
  current: string | undefined;
}) {
  const { link, hooks, current } = props;
  const [adding, setAdding] = useState(false);
  const may = useCan("configure");
  return (
    <Panel title="Webhooks" aside="steps of every plan they are called for; each call is signed">
      {hooks.length === 0 ? (
        <p className="dim">None. Proxies, tickets and chat are told of nothing.</p>
      ) : (
        <div className="scroll">
          <table className="grid">
            <thead>
              <tr>
                <th>Webhook</th>
                <th>Called</th>
                <th>State</th>
                <th>Last call</th>
                <th>
                  <span className="sr-only">Test</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {hooks.map((hook) => (
                <Row key={hook.id} hook={hook} current={hook.id === current} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {may && !adding && (
        <Button mt={12} variant="default" onClick={() => setAdding(true)}>
          Add a webhook…
        </Button>
      )}
      {adding && (
        <section aria-label="A new webhook" className="note">
          <WebhookForm linkId={link.id} hook={null} onDone={() => setAdding(false)} />
        </section>
      )}
    </Panel>
  );
}
