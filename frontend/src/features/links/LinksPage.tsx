import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import type { Link, Page } from "@/api/types";
import { isStale, useAge, useServerNow } from "@/components/clock";
import { Go } from "@/components/Go";
import { Loaded } from "@/components/Loaded";
import { PageHeader } from "@/components/PageHeader";
import { useMay } from "@/components/session";
import { nounOf, UNREHEARSED } from "@/lib/kinds";
import { rehearsedLine } from "@/lib/rehearsed";
import { formatAge } from "@/lib/time";
import { statusOf } from "@/lib/tone";
import { Bones } from "@/ui/Bones";
import { Chip } from "@/ui/Chip";
import { Panel } from "@/ui/Panel";
import { Statement } from "@/ui/Statement";
import { couldFailOver, couldRelocate, ifLost, lagLine } from "./answer";
import css from "./LinksPage.module.css";

/** How long ago anything on this link was last rehearsed with success, and what failed. */
function Rehearsed({ link }: { link: Link }) {
  const now = useServerNow(60_000);
  const kinds = Object.entries(link.readiness).filter(([kind]) => !UNREHEARSED.has(kind));
  return (
    <span className={css.answer}>
      {rehearsedLine(
        kinds.map(([kind, readiness]) => [nounOf(kind), readiness]),
        now,
      )}
    </span>
  );
}

function LinkCard({ link, readAt }: { link: Link; readAt: number }) {
  const age = useAge(link.age_s, readAt);
  const stale = isStale(age);
  const state = stale ? statusOf("link", "unknown") : statusOf("link", link.state);
  const over = couldFailOver(link, stale);
  const move = couldRelocate(link, stale);
  const lost = ifLost(link, stale);
  return (
    <li>
      <Go
        to={`/links/${link.id}`}
        className={`${css.card} ${css[state.tone]}`}
        aria-label={`Link ${link.name}: ${state.word}`}
      >
        <div>
          <div className={css.name}>
            {link.name} <Chip tone={state.tone}>{state.word}</Chip>
            {link.active_run && <Chip tone="info">{nounOf(link.active_run.kind)} running</Chip>}
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
            Could I fail over now? <Chip tone={over.tone}>{over.word}</Chip>
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
      </Go>
    </li>
  );
}

function Empty() {
  const mayRegister = useMay("register");
  return (
    <Statement
      tone="neutral"
      sentence="No link is registered yet."
      detail="A link is a pair of Galera clusters and the two channels between them. Register both clusters first; nothing on them is changed."
      actions={
        mayRegister && (
          <Button component={Go} to="/clusters/new">
            Register a cluster…
          </Button>
        )
      }
    />
  );
}

export function LinksPage() {
  const query = useQuery(queries.links());
  const mayRegister = useMay("register");
  return (
    <>
      <PageHeader title="Links" right={mayRegister && <Go to="/links/new">Register a link…</Go>} />
      <Loaded<Page<Link>>
        query={query}
        what="the links"
        bones={
          <Panel>
            <Bones lines={3} height={22} />
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
      </Loaded>
    </>
  );
}
