import { isStale } from "@/domain/freshness";
import { formatAge } from "@/lib/format/time";

export function DataAge({ ageS }: { ageS: number | null }) {
  if (ageS === null) return <span className="faint">facts: never read</span>;
  return <span className={isStale(ageS) ? "strong" : undefined}>facts {formatAge(ageS)} old</span>;
}
