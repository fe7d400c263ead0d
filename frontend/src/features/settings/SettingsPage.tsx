import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { automaticStartQuery, automationQuery } from "@/api/resources/automation";
import { linkQuery } from "@/api/resources/links";
import { webhooksQuery } from "@/api/resources/webhooks";
import type { AutomaticStart, Automation, Hook, LinkDetail, Page } from "@/api/types";
import { LinkTabs } from "@/components/LinkTabs";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ApprovalPanel } from "./ApprovalPanel";
import { AutomaticStartPanel } from "./automation/AutomaticStartPanel";
import { AutomationPanel } from "./automation/AutomationPanel";
import { WebhookDetail } from "./webhooks/WebhookDetail";
import { WebhooksPanel } from "./webhooks/WebhooksPanel";

function Hooks({ link, hooks }: { link: LinkDetail; hooks: readonly Hook[] }) {
  const { hook: current } = useSearch({ from: "/shell/links/$linkId/settings" });
  const open = hooks.find((hook) => hook.id === current);
  return (
    <>
      <WebhooksPanel link={link} hooks={hooks} current={current} />
      {open && <WebhookDetail hook={open} />}
    </>
  );
}

function View({ link }: { link: LinkDetail }) {
  const hooks = useQuery(webhooksQuery(link.id));
  const automation = useQuery(automationQuery(link.id));
  const start = useQuery(automaticStartQuery(link.id));
  return (
    <>
      <PageHeader title={`Settings of ${link.name}`} />
      <LinkTabs link={link} at="settings" />
      <div className="with-aside">
        <div className="stack">
          <QueryBoundary<Page<Hook>> query={hooks} label="the webhooks">
            {(page) => <Hooks link={link} hooks={page.results} />}
          </QueryBoundary>
        </div>
        <div className="stack">
          <ApprovalPanel link={link} />
          <QueryBoundary<Automation> query={automation} label="automatic relocate">
            {(set) => (
              <AutomationPanel
                key={`${set.mode}${set.loss_for_s}${set.block_s}`}
                linkId={link.id}
                automation={set}
              />
            )}
          </QueryBoundary>
          <QueryBoundary<AutomaticStart> query={start} label="automatic start">
            {(set) => (
              <AutomaticStartPanel
                key={`${set.enabled}${set.most_per_hour}`}
                linkId={link.id}
                start={set}
              />
            )}
          </QueryBoundary>
        </div>
      </div>
    </>
  );
}

export function SettingsPage() {
  const { linkId } = useParams({ from: "/shell/links/$linkId/settings" });
  const query = useQuery(linkQuery(linkId));
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link" heading="Settings">
      {(link) => <View link={link} />}
    </QueryBoundary>
  );
}
