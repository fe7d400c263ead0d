import type { TimelineEntry, TimelineKind } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import type { Column } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import { entryStatus } from "./entry-status";

function Details({ entry }: { entry: TimelineEntry }) {
  if (entry.run_id)
    return (
      <AppLink to="/history/$runId" params={{ runId: entry.run_id }}>
        run
      </AppLink>
    );
  if (entry.kind === "rehearsal")
    return (
      <AppLink to="/rehearsals/$rehearsalId/certificate" params={{ rehearsalId: entry.id }}>
        certificate
      </AppLink>
    );
  if (entry.seq === null) return null;
  return (
    <AppLink to="/audit" search={{ seq: entry.seq }}>
      record
    </AppLink>
  );
}

/** The columns of the time line; the time is the permalink of its entry. */
export const timelineColumns = (
  linkId: string,
  show: TimelineKind | undefined,
): readonly Column<TimelineEntry>[] => [
  {
    key: "at",
    header: "Time",
    nowrap: true,
    cell: ({ at, entry }) => (
      <AppLink to="/links/$linkId" params={{ linkId }} search={{ show, entry }}>
        <Timestamp at={at} />
      </AppLink>
    ),
  },
  {
    key: "kind",
    header: "Kind",
    cell: (entry) => {
      const status = entryStatus(entry);
      return <StatusChip tone={status.tone}>{status.word}</StatusChip>;
    },
  },
  { key: "what", header: "What happened", isRowHeader: true, cell: ({ sentence }) => sentence },
  { key: "more", header: "Details", cell: (entry) => <Details entry={entry} /> },
];
