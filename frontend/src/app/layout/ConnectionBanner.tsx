import { useLiveUpdates } from "@/components/LiveUpdatesProvider";
import { useServerTime } from "@/components/use-server-time";
import { formatAge } from "@/lib/format/time";
import { StatusIcon } from "@/ui/StatusIcon";
import css from "./AppLayout.module.css";

/** Says at once that what is on screen may be old; polling goes on beneath it. */
export function ConnectionBanner() {
  const live = useLiveUpdates();
  const now = useServerTime();
  if (live.state !== "lost") return null;
  return (
    <div className={css.lost} role="alert">
      <StatusIcon tone="warn" />
      Live stream lost {formatAge((now - live.since) / 1000)} ago: reconnecting; values are asked
      for meanwhile, and say how old they are.
    </div>
  );
}
