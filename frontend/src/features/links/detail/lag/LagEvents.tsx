import { Button } from "@mantine/core";
import type { LagCurve, LagEvent } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import { statusFor } from "@/domain/status";
import { pluralize } from "@/lib/format/number";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Lag.module.css";
import type { Marker } from "./marker-layout";

const COLUMNS: readonly Column<LagEvent>[] = [
  nameColumn("Time", (event) => <Timestamp at={event.at} />),
  column(
    "Severity",
    (event) => {
      const { tone, word } = statusFor("severity", event.severity);
      return <StatusChip tone={tone}>{word}</StatusChip>;
    },
    { nowrap: true },
  ),
  column("Event", (event) => (
    <>
      {event.run_id ? (
        <AppLink to="/runs/$runId" params={{ runId: event.run_id }}>
          {event.label}
        </AppLink>
      ) : (
        event.label
      )}
      {event.actor && <span className="faint"> · {event.actor}</span>}
    </>
  )),
];

interface EventsProps {
  curve: LagCurve;
  isOpen: boolean;
  /** Only the events of this marker. */
  of: Marker | null;
  onToggle: () => void;
  onAll: () => void;
}

/** The words of the events in this time, latest first. */
export function LagEvents({ curve, isOpen, of, onToggle, onAll }: EventsProps) {
  const events = [...(of?.events ?? curve.events)].reverse();
  const left = curve.events_left_out;
  return (
    <div className={css.events}>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-expanded={isOpen}
        onClick={onToggle}
        disabled={curve.events.length === 0}
      >
        {pluralize(curve.events.length, "event")} in this time
      </Button>
      {isOpen && of && (
        <Button size="compact-xs" variant="subtle" onClick={onAll}>
          Show all
        </Button>
      )}
      {isOpen && (
        <DataTable
          caption="Events in this time"
          columns={COLUMNS}
          rows={events}
          rowKey={(event) => `${event.at} ${event.kind} ${event.label}`}
          empty="No events in this time."
        />
      )}
      {isOpen && left > 0 && (
        <p className="faint">{pluralize(left, "earlier event")} of this time not listed.</p>
      )}
    </div>
  );
}
