import type { LinkRow } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import { useServerTime } from "@/components/use-server-time";
import { adviceText } from "@/domain/fleet/advice";
import {
  attentionTone,
  type CellText,
  gapText,
  lagText,
  readinessText,
  rehearsalsInFull,
  rehearsalText,
  reverseNote,
} from "@/domain/fleet/texts";
import { operationLabel } from "@/domain/operations";
import { statusFor } from "@/domain/status";
import { StatusChip } from "@/ui/StatusChip";
import { StatusIcon } from "@/ui/StatusIcon";
import css from "./Fleet.module.css";

const MINUTE_MS = 60_000;

interface CellProps {
  row: LinkRow;
}

const Note = ({ children }: { children: string }) =>
  children === "" ? null : <div className={css.note}>{children}</div>;

/** The first reason why the link needs a person, and how many more there are. */
function Reason({ row: { attention } }: CellProps) {
  const [reason, ...others] = attention;
  if (!reason) return null;
  const tone = attentionTone(reason.code);
  return (
    <div className={`${css.reason} ${css[tone]}`} title={reason.sentence}>
      <StatusIcon tone={tone} size={10} /> {reason.sentence}
      {others.length > 0 && ` (and ${others.length} more)`}
    </div>
  );
}

export const NameCell = ({ row }: CellProps) => (
  <AppLink
    to="/links/$linkId"
    params={{ linkId: row.id }}
    className={css.name}
    tabIndex={-1}
    preload={false}
  >
    {row.name}
  </AppLink>
);

/** The state of the link, what goes on, and why it needs a person. */
export function StateCell({ row }: CellProps) {
  const state = statusFor("link", row.state);
  return (
    <>
      <div className={css.chips}>
        <StatusChip tone={state.tone}>{state.word}</StatusChip>
        {row.active_run && (
          <StatusChip tone="info">{operationLabel(row.active_run.kind)} running</StatusChip>
        )}
        {row.pause && <StatusChip tone="warn">Maintenance</StatusChip>}
        {row.stale_since && (
          <span className={css.note}>
            seen <Timestamp at={row.stale_since} />
          </span>
        )}
      </div>
      <Reason row={row} />
    </>
  );
}

/** From the active side to the standby. */
export function DirectionCell({ row: { active_cluster: from, standby_cluster: to } }: CellProps) {
  const isNamedAlike = from.name === from.site.toLowerCase() && to.name === to.site.toLowerCase();
  return (
    <>
      <b>{from.site}</b> → {to.site}
      <Note>{isNamedAlike ? "" : `${from.name} → ${to.name}`}</Note>
    </>
  );
}

export const LagCell = ({ row }: CellProps) => (
  <>
    {lagText(row.forward)}
    <Note>{reverseNote(row)}</Note>
  </>
);

export const GapCell = ({ row }: CellProps) => gapText(row.forward);

export function ReadinessCell({ row }: CellProps) {
  const { failover, note } = readinessText(row);
  return (
    <>
      <StatusChip tone={failover.tone}>{failover.word}</StatusChip>
      <Note>{note}</Note>
    </>
  );
}

/** Numbers of open pieces of advice by risk, which lead to them. */
export function AdviceCell({ row }: CellProps) {
  const { tone, value, note } = adviceText(row);
  const text = <StatusChip tone={tone}>{value}</StatusChip>;
  return (
    <>
      {row.advice && tone !== "ok" ? (
        <AppLink
          to="/links/$linkId/advice"
          params={{ linkId: row.id }}
          aria-label={`Advice on ${row.name}: ${value}${note && `, ${note}`}`}
          tabIndex={-1}
          preload={false}
        >
          {text}
        </AppLink>
      ) : (
        text
      )}
      <Note>{note}</Note>
    </>
  );
}

/** A value with its source and the age of that. */
export function AgedCell({
  row,
  text,
}: CellProps & { text: (row: LinkRow, nowMs: number) => CellText }) {
  const { value, note } = text(row, useServerTime(MINUTE_MS));
  return (
    <>
      <span className={value === "unknown" ? "dim" : undefined}>{value}</span>
      <Note>{note}</Note>
    </>
  );
}

export function RehearsalCell({ row }: CellProps) {
  const nowMs = useServerTime(MINUTE_MS);
  const { value, note } = rehearsalText(row, nowMs);
  return (
    <div title={rehearsalsInFull(row, nowMs)}>
      <span className={value === "never" ? "dim" : undefined}>{value}</span>
      <Note>{note}</Note>
    </div>
  );
}
