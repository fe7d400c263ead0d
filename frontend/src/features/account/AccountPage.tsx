import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import type { Me } from "@/api/types";
import { useZone } from "@/components/clock";
import { Loaded } from "@/components/Loaded";
import { PageHeader } from "@/components/PageHeader";
import { useMay } from "@/components/session";
import { clockSkewSeconds, zoneLabel } from "@/lib/time";
import { FactList } from "@/ui/FactList";
import { Panel } from "@/ui/Panel";
import { PasswordPanel } from "./PasswordPanel";
import { SessionsPanel } from "./SessionsPanel";
import { TokensPanel } from "./TokensPanel";
import { UsersPanel } from "./UsersPanel";

function MePanel({ me }: { me: Me }) {
  const { zone } = useZone();
  const skew = clockSkewSeconds();
  return (
    <Panel title="You">
      <FactList
        facts={[
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
  const session = useQuery(queries.session());
  const mayManage = useMay("manage_users");
  return (
    <>
      <PageHeader title="Account" />
      <Loaded<Me | null> query={session} what="your session">
        {(me) => (
          <div className="stack">
            <MePanel me={me} />
            <PasswordPanel />
            <SessionsPanel />
            <TokensPanel me={me} />
            {mayManage && <UsersPanel me={me} />}
          </div>
        )}
      </Loaded>
    </>
  );
}
