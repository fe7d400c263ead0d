import type { LagPoint } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { statusFor } from "@/domain/status";
import { StatusChip } from "@/ui/StatusChip";
import { rangeOf, type Unit } from "./chart-data";
import css from "./Lag.module.css";
import type { Marker } from "./marker-layout";
import { rangeText } from "./readout";

const DIRECTIONS = ["forward", "reverse"] as const;

function PointReadout({ point, unit }: { point: LagPoint; unit: Unit }) {
  const { tone, word } = statusFor("link", point.state);
  return (
    <>
      <Timestamp at={point.at} />
      <StatusChip tone={tone}>{word}</StatusChip>
      {DIRECTIONS.map((direction) => (
        <span key={direction} className={css.value}>
          <i className={css[direction]} /> {direction}{" "}
          <b className="tnum">{rangeText(rangeOf(point, direction, unit), point.samples)}</b>
        </span>
      ))}
    </>
  );
}

/** One line below the chart: the words of a marker, or the values at the cursor, or the latest ones. It is the legend, too. */
export function LagReadout(props: { point: LagPoint | null; marker: Marker | null; unit: Unit }) {
  const { point, marker, unit } = props;
  const first = marker?.events.at(-1);
  return (
    <p className={css.readout}>
      {marker && first ? (
        <>
          <Timestamp at={first.at} /> <span className={css.markerWords}>{marker.label}</span>
          {marker.more > 0 && (
            <span className="faint">and {marker.more} more: press to list them</span>
          )}
        </>
      ) : point ? (
        <PointReadout point={point} unit={unit} />
      ) : (
        <span className="faint">No samples at this time.</span>
      )}
    </p>
  );
}
