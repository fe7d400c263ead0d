import type { Link, LinkRow } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { useDataAge } from "@/components/use-data-age";
import { useServerTime } from "@/components/use-server-time";
import { adviceText } from "@/domain/fleet/advice";
import { isRehearsed, operationLabel } from "@/domain/operations";
import { failoverReadiness, lagLine, relocateReadiness, siteLossImpact } from "@/domain/readiness";
import { rehearsalSummary } from "@/domain/rehearsal-summary";
import { statusFor } from "@/domain/status";
import { formatAge } from "@/lib/format/time";
import { StatusChip } from "@/ui/StatusChip";
import { useIsStale } from "../use-is-stale";
import css from "./LinksPage.module.css";

/** The time of the last successful rehearsal on a link, and which rehearsals failed. */
function RehearsalLine({ link }: { link: Link }) {
  const nowMs = useServerTime(60_000);
  const kinds = Object.entries(link.readiness).filter(([kind]) => isRehearsed(kind));
  return (
    <span className={css.answer}>
      {rehearsalSummary(
        kinds.map(([kind, readiness]) => [operationLabel(kind), readiness]),
        nowMs,
      )}
    </span>
  );
}

function Advice({ row, stale }: { row: LinkRow; stale: boolean }) {
  const { value, note } = adviceText(stale ? { advice: null } : row);
  return (
    <span className={css.answer}>
      advice: {value}
      {note && ` (${note})`}
    </span>
  );
}

function Readiness({ link, row, stale }: { link: Link; row: LinkRow; stale: boolean }) {
  const failover = failoverReadiness(link, stale);
  const relocate = relocateReadiness(link, stale);
  const impact = siteLossImpact(link, stale);
  return (
    <div className={css.act}>
      <span className={css.question}>
        Failover now <StatusChip tone={failover.tone}>{failover.word}</StatusChip>
      </span>
      <span className={css.answer}>{failover.detail}</span>
      {impact && <span className={css.answer}>{impact}</span>}
      {link.primary_action?.kind === "relocate" && !stale && (
        <span className={css.answer}>
          relocate: {relocate.word === "yes" ? `yes, ${relocate.detail}` : relocate.word}
        </span>
      )}
      <Advice row={row} stale={stale} />
      <RehearsalLine link={link} />
    </div>
  );
}

function UpdatedAgo({ link, readAt }: { link: Link; readAt: number }) {
  const age = useDataAge(link.age_s, readAt);
  return <>{age === null ? "no data yet" : `updated ${formatAge(age)} ago`}</>;
}

function Roles({ link }: { link: Link }) {
  const { active_cluster: active, standby_cluster: standby, invalidated_cluster: invalid } = link;
  return (
    <div className={css.sites}>
      {active.name} (active) ⇄ {standby.name} ({standby.id === invalid ? "invalidated" : "standby"})
    </div>
  );
}

interface LinkCardProps {
  link: Link;
  /** The same link as a row, for what only a row has. */
  row: LinkRow;
  readAt: number;
}

/** One link of the list, with its state, its lag, its advice, and its readiness. */
export function LinkCard({ link, row, readAt }: LinkCardProps) {
  const stale = useIsStale(link.age_s, readAt);
  const state = statusFor("link", stale ? "unknown" : link.state);
  return (
    <li>
      <AppLink
        to="/links/$linkId"
        params={{ linkId: link.id }}
        className={`${css.card} ${css[state.tone]}`}
        aria-label={`Link ${link.name}: ${state.word}`}
      >
        <div>
          <div className={css.name}>
            {link.name} <StatusChip tone={state.tone}>{state.word}</StatusChip>
            {link.active_run && (
              <StatusChip tone="info">{operationLabel(link.active_run.kind)} running</StatusChip>
            )}
            {link.pause && <StatusChip tone="warn">Maintenance</StatusChip>}
          </div>
          <Roles link={link} />
        </div>
        <div className={stale ? "stale" : undefined}>
          <div className={css.sentence}>{link.sentence}</div>
          <div className={css.lag}>
            <span>forward: {lagLine(link, "forward")}</span>
            <span>reverse: {lagLine(link, "reverse")}</span>
            <span className={stale ? "strong" : "faint"}>
              <UpdatedAgo link={link} readAt={readAt} />
            </span>
          </div>
        </div>
        <Readiness link={link} row={row} stale={stale} />
      </AppLink>
    </li>
  );
}
