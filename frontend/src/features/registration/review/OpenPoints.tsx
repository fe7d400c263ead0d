import type { OpenPoint, Registration } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { StatusChip } from "@/ui/StatusChip";
import css from "../Registrations.module.css";
import { partName } from "../steps";

function Point({ draft, point }: { draft: Registration; point: OpenPoint }) {
  return (
    <li className={css.change}>
      <div className="row">
        <StatusChip tone={point.must ? "bad" : "warn"}>
          {point.must ? "must be fixed" : "may stay open"}
        </StatusChip>
        <AppLink
          to="/registrations/$registrationId"
          params={{ registrationId: draft.id }}
          search={{ step: point.side }}
        >
          {partName(draft, point.side)}
        </AppLink>
      </div>
      <p>{point.sentence}</p>
      {point.remedy && <p className="dim">{point.remedy}</p>}
    </li>
  );
}

/** What is missing, wrong or unknown; each leads to its step. */
export function OpenPoints({ draft }: { draft: Registration }) {
  const { open_points: points } = draft;
  if (points.length === 0) return <p className="dim">Nothing is open.</p>;
  return (
    <ul className={css.changes}>
      {points.map((point) => (
        <Point key={`${point.side} ${point.code} ${point.sentence}`} draft={draft} point={point} />
      ))}
    </ul>
  );
}
