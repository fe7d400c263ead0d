import { Button } from "@mantine/core";
import type { Switch } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import { statusFor } from "@/domain/status";
import { formatDuration } from "@/lib/format/time";
import type { MoreRows } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import css from "./History.module.css";
import { lossStatus } from "./loss-status";

function Entry({ entry }: { entry: Switch }) {
  const { sentences } = entry;
  const [state, loss] = [statusFor("run", entry.state), lossStatus(entry.loss)];
  return (
    <li className={css.entry}>
      <div className={css.head}>
        <Timestamp at={entry.created_at} />
        <StatusChip tone={state.tone}>{state.word}</StatusChip>
        <StatusChip tone={loss.tone}>data loss: {loss.word}</StatusChip>
        {entry.is_exception && <StatusChip tone="bad">without approval</StatusChip>}
        <span className="dim">{formatDuration(entry.duration_s)}</span>
        <AppLink
          to="/audit"
          search={{ run: entry.id }}
          className={css.raw}
          aria-label={`Audit records of run ${entry.id}`}
        >
          audit records
        </AppLink>
      </div>
      <h2 className={css.what}>
        <AppLink to="/history/$runId" params={{ runId: entry.id }}>
          {sentences.who_and_what}
        </AppLink>
      </h2>
      <p>
        {sentences.from_to} {sentences.position}
      </p>
      <p className="dim">
        {sentences.why} {sentences.outcome} {sentences.loss}
      </p>
    </li>
  );
}

/** Switches as sentences, newest first; each sentence is the permalink of its entry. */
export function SwitchList(props: { entries: readonly Switch[]; more: MoreRows | null }) {
  const { entries, more } = props;
  if (entries.length === 0) return <p className="dim">No switch matches the filter.</p>;
  return (
    <>
      <ol className={css.entries} aria-label="Switches">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
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
    </>
  );
}
