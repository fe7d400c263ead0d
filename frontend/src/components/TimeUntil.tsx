import { secondsUntil } from "@/domain/pending-approvals";
import { formatAge } from "@/lib/format/time";
import { Timestamp } from "./Timestamp";
import { useServerTime } from "./use-server-time";

/** A future moment, and the time left until then. */
export function TimeUntil({ at }: { at: string }) {
  const left = secondsUntil(at, useServerTime()) ?? 0;
  return (
    <>
      <Timestamp at={at} /> ({left > 0 ? `in ${formatAge(left)}` : "now due"})
    </>
  );
}
