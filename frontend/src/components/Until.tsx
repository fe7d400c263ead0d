import { formatAge } from "@/lib/time";
import { Moment, useServerNow } from "./clock";
import { secondsUntil } from "./waiting";

/** A moment to come, and how long that is from now. */
export function Until({ at }: { at: string }) {
  const left = secondsUntil(at, useServerNow()) ?? 0;
  return (
    <>
      <Moment at={at} /> ({left > 0 ? `in ${formatAge(left)}` : "its time is over"})
    </>
  );
}
