import { useTimeZone } from "@/components/TimeZoneProvider";
import { formatFull, formatMoment } from "@/lib/format/time";
import { Unknown } from "@/ui/Unknown";

/** A moment in its short form, with the full form on hover and for machines. */
export function Timestamp({ at }: { at: string | null | undefined }) {
  const { zone } = useTimeZone();
  if (!at) return <Unknown />;
  return (
    <time dateTime={at} title={formatFull(at, zone)} className="nowrap">
      {formatMoment(at, zone)}
    </time>
  );
}
