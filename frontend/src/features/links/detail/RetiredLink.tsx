import type { LinkDetail } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { LinkTabs } from "@/components/LinkTabs";
import { PageHeader } from "@/components/PageHeader";
import { statusFor } from "@/domain/status";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { TimelinePanel } from "../timeline/TimelinePanel";

/** A retired link: what can still be read of it. */
export function RetiredLink({ link }: { link: LinkDetail }) {
  const state = statusFor("link", "retired");
  return (
    <>
      <PageHeader title={link.name}>
        <span className="dim">
          {link.active_cluster.name} ⇄ {link.standby_cluster.name}
        </span>
        <StatusChip tone={state.tone}>{state.word}</StatusChip>
      </PageHeader>
      <LinkTabs link={link} at="now" />
      <div className="stack">
        <Panel title="Records">
          <ul>
            <li>
              <AppLink to="/runs" search={{ link: link.id }}>
                Runs of {link.name}
              </AppLink>
            </li>
            <li>
              <AppLink to="/audit" search={{ link: link.id }}>
                Audit log of {link.name}
              </AppLink>
            </li>
          </ul>
        </Panel>
        <TimelinePanel linkId={link.id} />
      </div>
    </>
  );
}
