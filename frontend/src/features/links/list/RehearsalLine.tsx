import type { Link } from "@/api/types";
import { useServerTime } from "@/components/use-server-time";
import { isRehearsed, operationLabel } from "@/domain/operations";
import { rehearsalSummary } from "@/domain/rehearsal-summary";
import css from "./LinksPage.module.css";

/** The time of the last successful rehearsal on a link, and which rehearsals failed. */
export function RehearsalLine({ link }: { link: Link }) {
  const nowMs = useServerTime(60_000);
  const kinds = Object.entries(link.readiness).filter(([kind]) => isRehearsed(kind));
  return (
    <span className={css.answer}>
      {rehearsalSummary(
        kinds.map(([kind, readiness]) => [operationLabel(kind), readiness]),
        nowMs,
      )}
    </span>
  );
}
