import { UnstyledButton } from "@mantine/core";
import { pluralize } from "@/lib/format/number";
import { StatusIcon } from "@/ui/StatusIcon";
import css from "./Lag.module.css";
import type { Marker } from "./marker-layout";

interface LaneProps {
  markers: readonly Marker[];
  /** The marker under the pointer or with the focus: its words are shown in full. */
  onShow: (marker: Marker | null) => void;
  /** Opens the list of the marker's events. */
  onOpen: (marker: Marker) => void;
}

const nameOf = ({ label, more }: Marker): string =>
  more > 0 ? `${pluralize(more + 1, "event")}, the most severe: ${label}` : `Event: ${label}`;

/** The events above the chart. Words that have no room here are shown below when a marker has the focus. */
export function MarkerLane({ markers, onShow, onOpen }: LaneProps) {
  return (
    <ul className={css.lane} aria-label="Events in this time">
      {markers.map((marker) => (
        <li key={marker.events[0]?.at} className={css[marker.tone]}>
          <UnstyledButton
            className={css.marker}
            style={{ left: marker.x }}
            aria-label={nameOf(marker)}
            onFocus={() => onShow(marker)}
            onBlur={() => onShow(null)}
            onMouseEnter={() => onShow(marker)}
            onMouseLeave={() => onShow(null)}
            onClick={() => onOpen(marker)}
          >
            <StatusIcon tone={marker.tone} size={13} />
          </UnstyledButton>
          {marker.words && (
            <span
              aria-hidden="true"
              className={`${css.words} ${marker.words.isBefore ? css.before : ""}`}
              style={{ left: marker.words.left, width: marker.words.width }}
            >
              <span className={css.label} title={marker.label}>
                {marker.label}
              </span>
              {marker.more > 0 && <b>+{marker.more}</b>}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
