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
import { ApprovalRulePanel } from "./ApprovalRulePanel";
import { AutomaticStartPanel } from "./automation/AutomaticStartPanel";
import { AutomationPanel } from "./automation/AutomationPanel";
import { LinkPanel } from "./registration/LinkPanel";
import { MaintenancePanel } from "./registration/MaintenancePanel";
import { RetirementPanel } from "./registration/RetirementPanel";
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

function Settings({ link }: { link: LinkDetail }) {
  const hooks = useQuery(webhooksQuery(link.id));
  const automation = useQuery(automationQuery(link.id));
  const start = useQuery(automaticStartQuery(link.id));
  return (
    <div className="with-aside">
      <div className="stack">
        <LinkPanel link={link} />
        <QueryBoundary<Page<Hook>> query={hooks} label="the webhooks">
          {(page) => <Hooks link={link} hooks={page.results} />}
        </QueryBoundary>
      </div>
      <div className="stack">
        <MaintenancePanel link={link} />
        <ApprovalPanel link={link} />
        <ApprovalRulePanel link={link} />
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
        <RetirementPanel link={link} />
      </div>
    </div>
  );
}

function View({ link }: { link: LinkDetail }) {
  return (
    <>
      <PageHeader title={`Settings of ${link.name}`} />
      <LinkTabs link={link} at="settings" />
      {link.retired_at === null && <Settings link={link} />}
    </>
  );
}

/** The settings of a link; a retired link has none. */
export function SettingsPage() {
  const { linkId } = useParams({ from: "/shell/links/$linkId/settings" });
  const query = useQuery(linkQuery(linkId));
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link" heading="Settings">
      {(link) => <View link={link} />}
    </QueryBoundary>
  );
}
