import { Button } from "@mantine/core";
import type { TimelineEntry, TimelineKind } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import type { MoreRows } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import { entryStatus } from "./entry-status";
import css from "./Timeline.module.css";

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

function Row(props: { linkId: string; show: TimelineKind | undefined; entry: TimelineEntry }) {
  const { linkId, show, entry } = props;
  const status = entryStatus(entry);
  return (
    <li className={css.entry}>
      <span>
        <AppLink to="/links/$linkId" params={{ linkId }} search={{ show, entry: entry.entry }}>
          <Timestamp at={entry.at} />
        </AppLink>
      </span>
      <span>
        <StatusChip tone={status.tone}>{status.word}</StatusChip>
      </span>
      <span className={css.sentence}>{entry.sentence}</span>
      <span>
        <Details entry={entry} />
      </span>
    </li>
  );
}

/** The entries of a time line, newest first; the time of an entry is its permalink. */
export function TimelineList(props: {
  linkId: string;
  show: TimelineKind | undefined;
  entries: readonly TimelineEntry[];
  more: MoreRows | null;
}) {
  const { linkId, show, entries, more } = props;
  if (entries.length === 0)
    return <p className="dim">Nothing of this kind has happened on this link yet.</p>;
  return (
    <div>
      <ol className={css.entries} aria-label="Time line">
        {entries.map((entry) => (
          <Row key={entry.entry} linkId={linkId} show={show} entry={entry} />
        ))}
      </ol>
      {more && (
        <Button
          variant="default"
          size="xs"
          mt={10}
          className="no-print"
          loading={more.isLoading}
          onClick={more.load}
        >
          Load more
        </Button>
      )}
    </div>
  );
}
