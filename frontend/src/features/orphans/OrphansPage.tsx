import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { apiPath } from "@/api/client";
import { linkQuery } from "@/api/resources/links";
import { orphanPagesQuery, orphansQuery } from "@/api/resources/orphans";
import type { LinkDetail, Orphan, Orphans } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ButtonLink } from "@/components/ButtonLink";
import { LinkTabs } from "@/components/LinkTabs";
import { PageHeader } from "@/components/PageHeader";
import { ProblemAlert } from "@/components/ProblemAlert";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ScanButton } from "@/components/ScanButton";
import { Timestamp } from "@/components/Timestamp";
import { usePagedQuery } from "@/components/use-paged-query";
import { useScan } from "@/components/use-scan";
import { useCan } from "@/components/use-session";
import { firstStepLink } from "@/components/workflow/step-link";
import { type OrphanStrategy, orphanStrategyText } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { formatPosition, pluralize } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import type { Tone } from "@/ui/StatusIcon";
import { OrphanList } from "./OrphanList";
import css from "./Orphans.module.css";
import { changesOf, filterByTable, tableName } from "./row-changes";

const TONE: Record<Orphans["state"], Tone> = {
  not_needed: "neutral",
  none: "ok",
  found: "warn",
  unknown: "unknown",
};

function sentenceOf(orphans: Orphans, link: LinkDetail): string {
  const name = orphans.cluster?.name ?? "the lost side";
  switch (orphans.state) {
    case "not_needed":
      return "No side is invalidated: there is nothing to look for.";
    case "none":
      return `${name} has no orphans: ${link.active_cluster.name} received every one of its transactions.`;
    case "unknown":
      return `Whether ${name} has orphans is not known.`;
    case "found":
      return `${name} has ${pluralize(orphans.transactions, "transaction")} that ${link.active_cluster.name} never received.`;
  }
}

function OrphanSummary({ link, orphans }: { link: LinkDetail; orphans: Orphans }) {
  const scan = useScan(link.id);
  const file = (format: "jsonl" | "sql", words: string) => (
    <Button
      variant="default"
      component="a"
      href={apiPath(`/links/${link.id}/orphans/export`, { format })}
      download={`orphans-${link.name}.${format}`}
    >
      {words}
    </Button>
  );
  return (
    <>
      <Callout
        tone={TONE[orphans.state]}
        title={sentenceOf(orphans, link)}
        description={orphans.detail}
        actions={
          <>
            {orphans.state === "found" && file("jsonl", "Export as JSON lines")}
            {orphans.state === "found" && file("sql", "Export as SQL")}
            <ScanButton orphans={orphans} scan={scan} />
          </>
        }
      />
      {scan.isError && <ProblemAlert error={scan.error} action="Scanning" />}
    </>
  );
}

/** Where it was looked, and when. */
function ScanDetails({ orphans }: { orphans: Orphans }) {
  const place = (at: Orphans["from"]) => formatPosition(at?.file, at?.position);
  return (
    <Panel title="Where was looked">
      <DescriptionList
        items={[
          ["Scanned", <Timestamp key="s" at={orphans.scanned_at} />],
          ["On node", orphans.node],
          ["From", <code key="f">{place(orphans.from)}</code>],
          ["To", <code key="t">{place(orphans.to)}</code>],
          ["Rows", orphans.rows],
          ["First", <Timestamp key="a" at={orphans.first_at} />],
          ["Last", <Timestamp key="b" at={orphans.last_at} />],
        ]}
      />
    </Panel>
  );
}

function Tables({ link, orphans, table }: { link: LinkDetail; orphans: Orphans; table?: string }) {
  const here = { to: "/links/$linkId/orphans", params: { linkId: link.id } } as const;
  return (
    <Panel title="By table" aside={pluralize(orphans.tables.length, "table")}>
      <ul className={css.tables}>
        <li>
          <AppLink {...here} className={css.table} aria-current={table === undefined}>
            <span className="strong">All tables</span>
          </AppLink>
        </li>
        {orphans.tables.map((entry) => {
          const name = tableName(entry);
          return (
            <li key={name}>
              <AppLink
                {...here}
                search={{ table: name }}
                className={css.table}
                aria-current={table === name}
              >
                <code>{name}</code>
                <span className="dim">{changesOf(entry)}</span>
              </AppLink>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

const CHOICES: Record<Orphans["state"], readonly OrphanStrategy[]> = {
  found: ["replay", "undo", "rebuild"],
  none: ["attach", "rebuild"],
  unknown: ["fence", "rebuild"],
  not_needed: [],
};

const WAY_BUTTON: Record<OrphanStrategy, string> = {
  fence: "Plan the fence…",
  attach: "Plan the attaching…",
  replay: "Plan a replay…",
  undo: "Plan an undo…",
  rebuild: "Plan a rebuild…",
};

/** What can become of them; each is a plan first, and begins in the guided flow. */
function StrategyList({ link, orphans }: { link: LinkDetail; orphans: Orphans }) {
  const mayPlan = useCan("plan");
  const ways = CHOICES[orphans.state];
  if (ways.length === 0) return null;
  const participants = currentParticipants("reprotect", link);
  return (
    <Panel title="What becomes of it" aside="each is a plan first; nothing is done from here">
      <ul>
        {ways.map((way) => {
          const words = orphanStrategyText(way, participants);
          return (
            <li key={way} className={css.way}>
              <div>
                <div className="strong">{words.title}</div>
                <div className="dim">
                  {words.description} {words.after}
                </div>
              </div>
              {mayPlan && (
                <ButtonLink
                  variant="default"
                  {...firstStepLink("situation", link.id, "reprotect", { orphans: way })}
                >
                  {WAY_BUTTON[way]}
                </ButtonLink>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

/** The transactions, page by page. */
function Pages({ link, orphans, table }: { link: LinkDetail; orphans: Orphans; table?: string }) {
  const pages = usePagedQuery(orphanPagesQuery(link.id));
  const shown = filterByTable(pages.data ?? [], table);
  return (
    <Panel
      title="By time"
      aside={`${shown.length} shown of ${pluralize(orphans.transactions, "transaction")}`}
    >
      <QueryBoundary<Orphan[]> query={pages} label="the orphans">
        {(all) =>
          all.length === 0 ? (
            <p className="dim">What the rows hold is shown to operators.</p>
          ) : (
            <OrphanList orphans={shown} table={table} />
          )
        }
      </QueryBoundary>
      {pages.more && (
        <Button mt={10} variant="default" loading={pages.more.isLoading} onClick={pages.more.load}>
          Load more
        </Button>
      )}
    </Panel>
  );
}

function Page({ link, orphans }: { link: LinkDetail; orphans: Orphans }) {
  const { table } = useSearch({ from: "/shell/links/$linkId/orphans" });
  const named = table === undefined ? {} : { table };
  return (
    <div className="stack">
      <OrphanSummary link={link} orphans={orphans} />
      <StrategyList link={link} orphans={orphans} />
      {orphans.state === "found" && (
        <div className="with-aside">
          <Pages key={orphans.scanned_at} link={link} orphans={orphans} {...named} />
          <div className="stack">
            <Tables link={link} orphans={orphans} {...named} />
            <ScanDetails orphans={orphans} />
          </div>
        </div>
      )}
      {orphans.state !== "found" && orphans.scanned_at && <ScanDetails orphans={orphans} />}
    </div>
  );
}

function Read({ link }: { link: LinkDetail }) {
  const query = useQuery(orphansQuery(link.id));
  return (
    <>
      <PageHeader title={`Orphans of ${link.name}`} />
      <LinkTabs link={link} at="orphans" />
      <QueryBoundary<Orphans> query={query} label="the orphans">
        {(orphans) => <Page link={link} orphans={orphans} />}
      </QueryBoundary>
    </>
  );
}

export function OrphansPage() {
  const { linkId } = useParams({ from: "/shell/links/$linkId/orphans" });
  const query = useQuery(linkQuery(linkId));
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link">
      {(link) => <Read link={link} />}
    </QueryBoundary>
  );
}
