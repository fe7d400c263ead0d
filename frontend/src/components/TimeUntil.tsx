import { secondsUntil } from "@/domain/pending-approvals";
import { formatAge } from "@/lib/format/time";
import { Timestamp } from "./Timestamp";
import { useServerTime } from "./use-server-time";

/** A moment to come, and how long that is from now. */
export function TimeUntil({ at }: { at: string }) {
  const left = secondsUntil(at, useServerTime()) ?? 0;
  return (
    <>
      <Timestamp at={at} /> ({left > 0 ? `in ${formatAge(left)}` : "its time is over"})
    </>
  );
}
