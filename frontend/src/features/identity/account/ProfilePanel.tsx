import type { CurrentUser } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { useTimeZone } from "@/components/TimeZoneProvider";
import { zoneLabel } from "@/lib/format/time";
import { clockSkewSeconds } from "@/lib/server-clock";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";

/** The signed-in user, and how this browser's clock compares with the server's. */
export function ProfilePanel({ user }: { user: CurrentUser }) {
  const { zone } = useTimeZone();
  const skew = clockSkewSeconds();
  return (
    <Panel title="Profile">
      <DescriptionList
        items={[
          ["Name", user.username],
          ["Role", user.role],
          [
            "Time zone",
            <>
              {zoneLabel(zone)} · <AppLink to="/settings/display">Change</AppLink>
            </>,
          ],
          [
            "Clock of this computer",
            Math.abs(skew) < 2
              ? "matches the server clock"
              : `${skew.toFixed(1)} s off the server clock`,
          ],
          ["Hawser version", user.version],
        ]}
      />
    </Panel>
  );
}
