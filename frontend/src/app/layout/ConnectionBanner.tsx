import { useLiveUpdates } from "@/components/LiveUpdatesProvider";
import { useServerTime } from "@/components/use-server-time";
import { formatAge } from "@/lib/format/time";
import { StatusIcon } from "@/ui/StatusIcon";
import css from "./AppLayout.module.css";

function OutageAge({ since }: { since: number }) {
  return formatAge((useServerTime() - since) / 1000);
}

/** Warns while the event stream is interrupted; polling continues. */
export function ConnectionBanner() {
  const live = useLiveUpdates();
  if (live.state !== "lost") return null;
  return (
    <div className={css.lost} role="alert" data-connection-lost>
      <StatusIcon tone="warn" />
      <span>
        Live updates interrupted <OutageAge since={live.since} /> ago. Reconnecting; data still
        refreshes every few seconds.
      </span>
    </div>
  );
}
