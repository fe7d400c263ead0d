import type { AbsenceTime } from "@/api/types";
import { formatSpan } from "./span";

/** A time until an SST, or in words why there is none; the reason is in the tooltip and in the details. */
export function AbsenceTimeText({ time }: { time: AbsenceTime | undefined }) {
  if (time === undefined || time.state === "unknown")
    return (
      <span className="faint" title={time?.reason}>
        unknown
      </span>
    );
  if (time.state === "unlimited") return <span title={time.reason}>no limit</span>;
  return <>{formatSpan(time.seconds ?? 0)}</>;
}
