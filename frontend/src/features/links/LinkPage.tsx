import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { queries } from "@/api/queries";
import type { LinkDetail } from "@/api/types";
import { CurlButton } from "@/components/CurlButton";
import { FactsAge, isStale, useAge } from "@/components/clock";
import { Findings } from "@/components/Findings";
import { LinkPicture } from "@/components/LinkPicture";
import { LinkTabs } from "@/components/LinkTabs";
import { Loaded } from "@/components/Loaded";
import { PageHeader } from "@/components/PageHeader";
import { counted } from "@/lib/numbers";
import { statusOf } from "@/lib/tone";
import { Bones } from "@/ui/Bones";
import { Chip } from "@/ui/Chip";
import { Panel } from "@/ui/Panel";
import { ChannelErrorPanels } from "./ChannelErrorPanel";
import { DivergencePanel } from "./DivergencePanel";
import { HistoryPanel } from "./HistoryPanel";
import { LagPanel } from "./LagPanel";
import css from "./LinkPage.module.css";
import { LinkStatement } from "./LinkStatement";
import { proposalOf } from "./proposal";
import { ReadinessPanel } from "./ReadinessPanel";

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
        <LinkPicture link={link} ageS={ageS} stale={stale} proposal={proposalOf(link)} />
      </div>
    </Panel>
  );
}

function Page({ link, readAt }: { link: LinkDetail; readAt: number }) {
  const { minutes = 15 } = useSearch({ from: "/shell/links/$linkId" });
  const age = useAge(link.age_s, readAt);
  const stale = isStale(age);
  const state = stale ? statusOf("link", "unknown") : statusOf("link", link.state);
  return (
    <>
      <PageHeader
        title={link.name}
        right={
          <>
            <CurlButton method="GET" path={`/links/${link.id}`} />
            <FactsAge ageS={age} />
          </>
        }
      >
        <span className="dim">
          {link.active_cluster.name} (active) ⇄ {link.standby_cluster.name} (
          {link.standby_cluster.id === link.invalidated_cluster ? "invalidated" : "standby"})
        </span>
        <Chip tone={state.tone}>{state.word}</Chip>
      </PageHeader>
      <LinkTabs link={link} at="now" />
      <div className="stack">
        <LinkStatement link={link} ageS={age} stale={stale} />
        <DivergencePanel link={link} />
        <ChannelErrorPanels link={link} />
        <div className={css.columns}>
          <div className="stack">
            <TopologyPanel link={link} ageS={age} stale={stale} />
            <LagPanel linkId={link.id} minutes={minutes} />
          </div>
          <div className="stack">
            <ReadinessPanel link={link} stale={stale} />
            <Panel title="Findings" aside={counted(link.findings.length, "finding")}>
              <div className={stale ? "stale" : undefined}>
                <Findings findings={link.findings} />
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
        <Bones lines={2} height={20} />
      </Panel>
      <div className={css.columns}>
        <Panel title="Topology">
          <Bones lines={4} height={60} />
        </Panel>
        <Panel title="Findings">
          <Bones lines={5} />
        </Panel>
      </div>
    </div>
  );
}

export function LinkPage() {
  const { linkId } = useParams({ from: "/shell/links/$linkId" });
  const query = useQuery(queries.link(linkId));
  return (
    <Loaded<LinkDetail> query={query} what="the link" bones={<Shape />}>
      {(link) => <Page link={link} readAt={query.dataUpdatedAt} />}
    </Loaded>
  );
}
