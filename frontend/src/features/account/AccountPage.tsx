import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "@/api/resources/session";
import type { CurrentUser } from "@/api/types";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { useTimeZone } from "@/components/TimeZoneProvider";
import { useCan } from "@/components/use-session";
import { zoneLabel } from "@/lib/format/time";
import { clockSkewSeconds } from "@/lib/server-clock";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { PasswordPanel } from "./PasswordPanel";
import { SessionsPanel } from "./SessionsPanel";
import { TokensPanel } from "./TokensPanel";
import { UsersPanel } from "./UsersPanel";

function MePanel({ me }: { me: CurrentUser }) {
  const { zone } = useTimeZone();
  const skew = clockSkewSeconds();
  return (
    <Panel title="You">
      <DescriptionList
        items={[
          ["Name", me.username],
          ["Role", me.role],
          ["Times shown in", zoneLabel(zone)],
          [
            "This machine's clock",
            Math.abs(skew) < 2
              ? "agrees with the server's"
              : `${skew.toFixed(1)} s off the server's`,
          ],
          ["Hawser", me.version],
        ]}
      />
    </Panel>
  );
}

export function AccountPage() {
  const session = useQuery(sessionQuery());
  const mayManage = useCan("manage_users");
  return (
    <>
      <PageHeader title="Account" />
      <QueryBoundary<CurrentUser | null> query={session} label="your session">
        {(me) => (
          <div className="stack">
            <MePanel me={me} />
            <PasswordPanel />
            <SessionsPanel />
            <TokensPanel me={me} />
            {mayManage && <UsersPanel me={me} />}
          </div>
        )}
      </QueryBoundary>
    </>
  );
}
