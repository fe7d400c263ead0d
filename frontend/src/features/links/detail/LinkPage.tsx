import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { linkQuery } from "@/api/resources/links";
import type { LinkDetail } from "@/api/types";
import { CurlButton } from "@/components/CurlButton";
import { DataAge } from "@/components/DataAge";
import { FindingList } from "@/components/FindingList";
import { LinkTabs } from "@/components/LinkTabs";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { TopologyDiagram } from "@/components/topology/TopologyDiagram";
import { useDataAge } from "@/components/use-data-age";
import { isStale } from "@/domain/freshness";
import { statusFor } from "@/domain/status";
import { pluralize } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import { SkeletonLines } from "@/ui/Skeleton";
import { StatusChip } from "@/ui/StatusChip";
import { ChannelErrorPanels } from "./ChannelErrorPanel";
import { DivergencePanel } from "./DivergencePanel";
import { HistoryPanel } from "./HistoryPanel";
import { LagPanel } from "./LagPanel";
import css from "./LinkPage.module.css";
import { LinkStatusCallout } from "./LinkStatusCallout";
import { ReadinessPanel } from "./ReadinessPanel";
import { suggestedRelocation } from "./suggested-relocation";

function TopologyPanel({
  link,
  ageS,
  stale,
}: {
  link: LinkDetail;
  ageS: number | null;
  stale: boolean;
}) {
  const nodes = [...link.clusters.active.nodes, ...link.clusters.standby.nodes];
  const away = nodes.filter((node) => node.reach !== "up").length;
  const unseen = nodes.filter((node) => node.reach === "unknown").length;
  const seen =
    away === 0
      ? "all reachable"
      : `${away - unseen} unreachable${unseen ? `, ${unseen} unknown` : ""}`;
  const rest = stale ? "not known now" : seen;
  return (
    <Panel title="Topology" aside={`${nodes.length} nodes · ${rest}`}>
      <div className={stale ? "stale" : undefined}>
        <TopologyDiagram
          link={link}
          ageS={ageS}
          stale={stale}
          proposal={suggestedRelocation(link)}
        />
      </div>
    </Panel>
  );
}

function LinkOverview({ link, readAt }: { link: LinkDetail; readAt: number }) {
  const { minutes = 15 } = useSearch({ from: "/shell/links/$linkId" });
  const age = useDataAge(link.age_s, readAt);
  const stale = isStale(age);
  const state = stale ? statusFor("link", "unknown") : statusFor("link", link.state);
  return (
    <>
      <PageHeader
        title={link.name}
        right={
          <>
            <CurlButton method="GET" path={`/links/${link.id}`} />
            <DataAge ageS={age} />
          </>
        }
      >
        <span className="dim">
          {link.active_cluster.name} (active) ⇄ {link.standby_cluster.name} (
          {link.standby_cluster.id === link.invalidated_cluster ? "invalidated" : "standby"})
        </span>
        <StatusChip tone={state.tone}>{state.word}</StatusChip>
      </PageHeader>
      <LinkTabs link={link} at="now" />
      <div className="stack">
        <LinkStatusCallout link={link} ageS={age} stale={stale} />
        <DivergencePanel link={link} />
        <ChannelErrorPanels link={link} />
        <div className={css.columns}>
          <div className="stack">
            <TopologyPanel link={link} ageS={age} stale={stale} />
            <LagPanel linkId={link.id} minutes={minutes} />
          </div>
          <div className="stack">
            <ReadinessPanel link={link} stale={stale} />
            <Panel title="Findings" aside={pluralize(link.findings.length, "finding")}>
              <div className={stale ? "stale" : undefined}>
                <FindingList findings={link.findings} />
              </div>
            </Panel>
            <HistoryPanel linkId={link.id} />
          </div>
        </div>
      </div>
    </>
  );
}

function Shape() {
  return (
    <div className="stack">
      <Panel>
        <SkeletonLines lines={2} height={20} />
      </Panel>
      <div className={css.columns}>
        <Panel title="Topology">
          <SkeletonLines lines={4} height={60} />
        </Panel>
        <Panel title="Findings">
          <SkeletonLines lines={5} />
        </Panel>
      </div>
    </div>
  );
}

export function LinkPage() {
  const { linkId } = useParams({ from: "/shell/links/$linkId" });
  const query = useQuery(linkQuery(linkId));
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link" fallback={<Shape />}>
      {(link) => <LinkOverview link={link} readAt={query.dataUpdatedAt} />}
    </QueryBoundary>
  );
}
