import type { Link, Readiness } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { useServerTime } from "@/components/use-server-time";
import { isRehearsed, kindOf, OPERATION_KINDS, operationLabel } from "@/domain/operations";
import { lossText } from "@/domain/readiness";
import { rehearsalOutcome } from "@/domain/rehearsal-summary";
import { type Status, statusFor } from "@/domain/status";
import { formatEstimate } from "@/lib/format/time";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import css from "./ReadinessPanel.module.css";

const costOf = (readiness: Readiness): string =>
  `${readiness.estimate_s === null ? "time unknown" : formatEstimate(readiness.estimate_s)} · ${lossText(readiness)}`;

/** An operation that is ready but loses data is shown as a warning. */
function readinessStatus(readiness: Readiness, stale: boolean): Status {
  if (stale) return statusFor("readiness", "unknown");
  if (readiness.state === "ready" && readiness.loss_transactions !== 0)
    return { tone: "warn", word: "data loss" };
  return statusFor("readiness", readiness.state);
}

/** The operations in the order of this console, then those that only the server knows. */
function rowsOf(link: Link): [string, Readiness][] {
  const rank = (kind: string) => {
    const known = kindOf(kind);
    return known ? OPERATION_KINDS.indexOf(known) : OPERATION_KINDS.length;
  };
  return Object.entries(link.readiness)
    .filter(([kind, readiness]) => isRehearsed(kind) || readiness.state !== "not_needed")
    .sort(([a], [b]) => rank(a) - rank(b));
}

function Row(props: { kind: string; readiness: Readiness; stale: boolean; nowMs: number }) {
  const { kind, readiness, stale, nowMs } = props;
  const status = readinessStatus(readiness, stale);
  const rehearsed = rehearsalOutcome(readiness, nowMs);
  return (
    <li className={css.row}>
      <span className="strong">{operationLabel(kind)}</span>
      <StatusChip tone={status.tone}>{status.word}</StatusChip>
      {readiness.state === "ready" && !stale && (
        <span className={css.cost}>{costOf(readiness)}</span>
      )}
      <span className={css.why}>
        {stale ? "Unknown: data is out of date." : readiness.sentence}{" "}
        {isRehearsed(kind) && (
          <span className={rehearsed.tone === "bad" ? css.failed : css.rehearsed}>
            {rehearsed.words}
          </span>
        )}
      </span>
    </li>
  );
}

/** For each operation: whether it can run now, its duration and data loss, and its last rehearsal. */
export function ReadinessPanel({ link, stale }: { link: Link; stale: boolean }) {
  const nowMs = useServerTime(60_000);
  const rows = rowsOf(link);
  return (
    <Panel
      title="Readiness"
      aside={
        <AppLink to="/links/$linkId/rehearsals" params={{ linkId: link.id }}>
          rehearsals
        </AppLink>
      }
    >
      <ul>
        {rows.map(([kind, readiness]) => (
          <Row key={kind} kind={kind} readiness={readiness} stale={stale} nowMs={nowMs} />
        ))}
      </ul>
      {rows.length === 0 && <p className="dim">No data yet.</p>}
    </Panel>
  );
}
