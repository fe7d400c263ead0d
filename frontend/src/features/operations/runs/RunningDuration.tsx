import { useServerTime } from "@/components/use-server-time";
import { formatDuration } from "@/lib/format/time";

/** The time since a moment, by the server's clock, ten times a second. */
export function RunningDuration({ since }: { since: string }) {
  const nowMs = useServerTime(100);
  return <>{formatDuration(Math.max(0, nowMs - Date.parse(since)) / 1000)}</>;
}
