import type { Rehearsal } from "@/api/types";
import { useTimeZone } from "@/components/TimeZoneProvider";
import { formatEstimate, formatFull } from "@/lib/format/time";
import css from "./Rehearsals.module.css";
import { resultOf } from "./rehearsal-status";
import { TREND_HEIGHT, TREND_WIDTH, trendOf } from "./sparkline";

/** The estimated duration of a run over the rehearsals; a failed one is a hexagon on the base line. */
export function DurationSparkline({ rehearsals }: { rehearsals: readonly Rehearsal[] }) {
  const { zone } = useTimeZone();
  const trend = trendOf(
    rehearsals,
    (entry) =>
      `${formatFull(entry.at, zone)}: ${resultOf(entry).word}, ${formatEstimate(entry.estimate_s)}`,
  );
  return (
    <svg
      viewBox={`0 0 ${TREND_WIDTH} ${TREND_HEIGHT}`}
      className={css.trend}
      role="img"
      aria-label={trend.words}
    >
      <path d={`M0 ${TREND_HEIGHT - 6}H${TREND_WIDTH}`} className={css.base} />
      <path d={trend.line} className={css.line} />
      {trend.points.map((point) => (
        <g key={point.x} transform={`translate(${point.x} ${point.y})`}>
          <title>{point.title}</title>
          {point.ok ? (
            <circle r={2.6} className={css.passed} />
          ) : (
            <path d="M-2.6 -4.5h5.2L5.2 0 2.6 4.5h-5.2L-5.2 0z" className={css.failed} />
          )}
        </g>
      ))}
    </svg>
  );
}
