import type { Link } from "@/api/types";
import { Callout } from "@/ui/Callout";
import { EndMaintenance } from "./EndMaintenance";
import { RetiredCallout } from "./RetiredCallout";
import { TimeUntil } from "./TimeUntil";

/** What concerns all pages of a link: that it is retired, or in maintenance. */
export function LinkNotice({ link }: { link: Link }) {
  if (link.retired_at) return <RetiredCallout name={link.name} at={link.retired_at} />;
  if (!link.pause) return null;
  const { until, by, reason } = link.pause;
  return (
    <Callout
      tone="warn"
      title={
        <>
          Maintenance until <TimeUntil at={until} />
        </>
      }
      description={`By ${by}: ${reason || "no reason given"}. No webhook is called, and no operation starts automatically.`}
      actions={<EndMaintenance link={link} />}
    />
  );
}
