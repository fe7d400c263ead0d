import { useQuery } from "@tanstack/react-query";
import { historyQuery } from "@/api/resources/links";
import type { HistoryEntry, Page } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { type Column, DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";

const SHOWN = 8;

const COLUMNS: readonly Column<HistoryEntry>[] = [
  {
    key: "at",
    header: "Time",
    mono: true,
    nowrap: true,
    cell: (entry) => <Timestamp at={entry.at} />,
  },
  {
    key: "event",
    header: "Event",
    cell: (entry) => (
      <>
        {entry.run_id ? (
          <AppLink to="/runs/$runId" params={{ runId: entry.run_id }}>
            {entry.label}
          </AppLink>
        ) : (
          entry.label
        )}
        {entry.actor && <span className="faint"> · {entry.actor}</span>}
      </>
    ),
  },
];

/** The latest events of a link. */
export function HistoryPanel({ linkId }: { linkId: string }) {
  const query = useQuery(historyQuery(linkId));
  return (
    <Panel
      title="History"
      aside={
        <AppLink to="/audit" search={{ link: linkId }}>
          audit log
        </AppLink>
      }
    >
      <QueryBoundary<Page<HistoryEntry>> query={query} label="the history">
        {(page) => (
          <DataTable
            caption="Latest events"
            columns={COLUMNS}
            rows={page.results.slice(0, SHOWN)}
            rowKey={(entry) => `${entry.at} ${entry.label}`}
            empty="No events on this link yet."
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}
