import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { queries } from "@/api/queries";
import type { AutomaticStart, Automation, Hook, LinkDetail, Page } from "@/api/types";
import { LinkTabs } from "@/components/LinkTabs";
import { Loaded } from "@/components/Loaded";
import { PageHeader } from "@/components/PageHeader";
import { ApprovalPanel } from "./ApprovalPanel";
import { AutomaticStartPanel } from "./AutomaticStartPanel";
import { AutomationPanel } from "./AutomationPanel";
import { HookDetail } from "./HookDetail";
import { HooksPanel } from "./HooksPanel";

function Hooks({ link, hooks }: { link: LinkDetail; hooks: readonly Hook[] }) {
  const { hook: current } = useSearch({ from: "/shell/links/$linkId/settings" });
  const open = hooks.find((hook) => hook.id === current);
  return (
    <>
      <HooksPanel link={link} hooks={hooks} current={current} />
      {open && <HookDetail hook={open} />}
    </>
  );
}

function View({ link }: { link: LinkDetail }) {
  const hooks = useQuery(queries.hooks(link.id));
  const automation = useQuery(queries.automation(link.id));
  const start = useQuery(queries.automaticStart(link.id));
  return (
    <>
      <PageHeader title={`Settings of ${link.name}`} />
      <LinkTabs link={link} at="settings" />
      <div className="with-aside">
        <div className="stack">
          <Loaded<Page<Hook>> query={hooks} what="the webhooks">
            {(page) => <Hooks link={link} hooks={page.results} />}
          </Loaded>
        </div>
        <div className="stack">
          <ApprovalPanel link={link} />
          <Loaded<Automation> query={automation} what="automatic relocate">
            {(set) => (
              <AutomationPanel
                key={`${set.mode}${set.loss_for_s}${set.block_s}`}
                linkId={link.id}
                automation={set}
              />
            )}
          </Loaded>
          <Loaded<AutomaticStart> query={start} what="automatic start">
            {(set) => (
              <AutomaticStartPanel
                key={`${set.enabled}${set.most_per_hour}`}
                linkId={link.id}
                start={set}
              />
            )}
          </Loaded>
        </div>
      </div>
    </>
  );
}

export function SettingsPage() {
  const { linkId } = useParams({ from: "/shell/links/$linkId/settings" });
  const query = useQuery(queries.link(linkId));
  return (
    <Loaded<LinkDetail> query={query} what="the link">
      {(link) => <View link={link} />}
    </Loaded>
  );
}
