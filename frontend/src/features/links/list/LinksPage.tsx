import { useQuery } from "@tanstack/react-query";
import { linksQuery } from "@/api/resources/links";
import type { Link, Page } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ButtonLink } from "@/components/ButtonLink";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { useDataAge } from "@/components/use-data-age";
import { useServerTime } from "@/components/use-server-time";
import { useCan } from "@/components/use-session";
import { isStale } from "@/domain/freshness";
import { operationLabel, UNREHEARSED } from "@/domain/operations";
import { failoverReadiness, lagLine, relocateReadiness, siteLossImpact } from "@/domain/readiness";
import { rehearsalSummary } from "@/domain/rehearsal-summary";
import { statusFor } from "@/domain/status";
import { formatAge } from "@/lib/format/time";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { SkeletonLines } from "@/ui/Skeleton";
import { StatusChip } from "@/ui/StatusChip";
import css from "./LinksPage.module.css";

/** How long ago anything on this link was last rehearsed with success, and what failed. */
function Rehearsed({ link }: { link: Link }) {
  const now = useServerTime(60_000);
  const kinds = Object.entries(link.readiness).filter(([kind]) => !UNREHEARSED.has(kind));
  return (
    <span className={css.answer}>
      {rehearsalSummary(
        kinds.map(([kind, readiness]) => [operationLabel(kind), readiness]),
        now,
      )}
    </span>
  );
}

function LinkCard({ link, readAt }: { link: Link; readAt: number }) {
  const age = useDataAge(link.age_s, readAt);
  const stale = isStale(age);
  const state = stale ? statusFor("link", "unknown") : statusFor("link", link.state);
  const over = failoverReadiness(link, stale);
  const move = relocateReadiness(link, stale);
  const lost = siteLossImpact(link, stale);
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
          </div>
          <div className={css.sites}>
            {link.active_cluster.name} takes writes ⇄ {link.standby_cluster.name}{" "}
            {link.standby_cluster.id === link.invalidated_cluster ? "is invalidated" : "stands by"}
          </div>
        </div>
        <div className={stale ? "stale" : undefined}>
          <div className={css.sentence}>{link.sentence}</div>
          <div className={css.lag}>
            <span>forward: {lagLine(link.channels, "forward")}</span>
            <span>reverse: {lagLine(link.channels, "reverse")}</span>
            <span className={stale ? "strong" : "faint"}>
              {age === null ? "never read" : `facts ${formatAge(age)} old`}
            </span>
          </div>
        </div>
        <div className={css.act}>
          <span className={css.question}>
            Could I fail over now? <StatusChip tone={over.tone}>{over.word}</StatusChip>
          </span>
          <span className={css.answer}>{over.detail}</span>
          {lost && <span className={css.answer}>{lost}</span>}
          {link.primary_action?.kind === "relocate" && !stale && (
            <span className={css.answer}>
              relocate: {move.word === "yes" ? `yes, ${move.detail}` : move.word}
            </span>
          )}
          <Rehearsed link={link} />
        </div>
      </AppLink>
    </li>
  );
}

function Empty() {
  const mayRegister = useCan("register");
  return (
    <Callout
      tone="neutral"
      title="No link is registered yet."
      description="A link is a pair of Galera clusters and the two channels between them. Register both clusters first; nothing on them is changed."
      actions={mayRegister && <ButtonLink to="/clusters/new">Register a cluster…</ButtonLink>}
    />
  );
}

export function LinksPage() {
  const query = useQuery(linksQuery());
  const mayRegister = useCan("register");
  return (
    <>
      <PageHeader
        title="Links"
        right={mayRegister && <AppLink to="/links/new">Register a link…</AppLink>}
      />
      <QueryBoundary<Page<Link>>
        query={query}
        label="the links"
        fallback={
          <Panel>
            <SkeletonLines lines={3} height={22} />
          </Panel>
        }
      >
        {(page) =>
          page.results.length === 0 ? (
            <Empty />
          ) : (
            <ul className={css.list}>
              {page.results.map((link) => (
                <LinkCard key={link.id} link={link} readAt={query.dataUpdatedAt} />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </>
  );
}
