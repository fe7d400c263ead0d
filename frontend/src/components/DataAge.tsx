import { isStale } from "@/domain/freshness";
import { formatAge } from "@/lib/format/time";

/** How long ago the shown data was read from the servers. */
export function DataAge({ ageS }: { ageS: number | null }) {
  if (ageS === null) return <span className="faint">No data yet</span>;
  return (
    <span className={isStale(ageS) ? "strong" : undefined}>Updated {formatAge(ageS)} ago</span>
  );
}
