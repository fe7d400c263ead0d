import { Button } from "@mantine/core";
import type { LagCurve, LagMark } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import { statusFor } from "@/domain/status";
import { pluralize } from "@/lib/format/number";
import { type Column, DataTable } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Lag.module.css";
import type { Marker } from "./marker-layout";

const COLUMNS: readonly Column<LagMark>[] = [
  { key: "at", header: "Time", isRowHeader: true, cell: (mark) => <Timestamp at={mark.at} /> },
  {
    key: "severity",
    header: "Severity",
    nowrap: true,
    cell: (mark) => {
      const { tone, word } = statusFor("severity", mark.severity);
      return <StatusChip tone={tone}>{word}</StatusChip>;
    },
  },
  {
    key: "event",
    header: "Event",
    cell: (mark) => (
      <>
        {mark.run_id ? (
          <AppLink to="/runs/$runId" params={{ runId: mark.run_id }}>
            {mark.label}
          </AppLink>
        ) : (
          mark.label
        )}
        {mark.actor && <span className="faint"> · {mark.actor}</span>}
      </>
    ),
  },
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
  const marks = [...(of?.marks ?? curve.marks)].reverse();
  const left = curve.marks_left_out;
  return (
    <div className={css.events}>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-expanded={isOpen}
        onClick={onToggle}
        disabled={curve.marks.length === 0}
      >
        {pluralize(curve.marks.length, "event")} in this time
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
          rows={marks}
          rowKey={(mark) => `${mark.at} ${mark.kind} ${mark.label}`}
          empty="No events in this time."
        />
      )}
      {isOpen && left > 0 && (
        <p className="faint">{pluralize(left, "earlier event")} of this time not listed.</p>
      )}
    </div>
  );
}
