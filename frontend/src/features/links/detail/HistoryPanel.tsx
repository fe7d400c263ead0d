import { useQuery } from "@tanstack/react-query";
import { historyQuery } from "@/api/resources/links";
import type { HistoryEntry, Page } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { Panel } from "@/ui/Panel";

function Entry({ entry }: { entry: HistoryEntry }) {
  return (
    <tr>
      <td className="faint mono">
        <Timestamp at={entry.at} />
      </td>
      <td>
        {entry.run_id ? (
          <AppLink to="/runs/$runId" params={{ runId: entry.run_id }}>
            {entry.label}
          </AppLink>
        ) : (
          entry.label
        )}
        {entry.actor && <span className="faint"> · {entry.actor}</span>}
      </td>
    </tr>
  );
}

export function HistoryPanel({ linkId }: { linkId: string }) {
  const query = useQuery(historyQuery(linkId));
  return (
    <Panel
      title="History"
      aside={
        <AppLink to="/audit" search={{ link: linkId }}>
          full record
        </AppLink>
      }
    >
      <QueryBoundary<Page<HistoryEntry>> query={query} label="the history">
        {(page) =>
          page.results.length === 0 ? (
            <p className="dim">Nothing has happened on this link yet.</p>
          ) : (
            <table className="grid">
              <tbody>
                {page.results.slice(0, 8).map((entry) => (
                  <Entry key={`${entry.at} ${entry.label}`} entry={entry} />
                ))}
              </tbody>
            </table>
          )
        }
      </QueryBoundary>
    </Panel>
  );
}
