import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { linkQuery } from "@/api/resources/links";
import type { LinkDetail } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { CurlButton } from "@/components/CurlButton";
import { FindingList } from "@/components/FindingList";
import { LinkTabs } from "@/components/LinkTabs";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { hasPressingFinding } from "@/domain/severity";
import { statusFor } from "@/domain/status";
import { pluralize } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import { SkeletonLines } from "@/ui/Skeleton";
import { StatusChip } from "@/ui/StatusChip";
import { TimelinePanel } from "../timeline/TimelinePanel";
import { useIsStale } from "../use-is-stale";
import { ChannelErrorPanels } from "./ChannelErrorPanels";
import { DivergencePanel } from "./DivergencePanel";
import { LinkAge } from "./LinkAge";
import css from "./LinkPage.module.css";
import { LinkStatusCallout } from "./LinkStatusCallout";
import { LagPanel } from "./lag/LagPanel";
import { ProofPanel } from "./proof/ProofPanel";
import { ReadinessPanel } from "./ReadinessPanel";
import { RetiredLink } from "./RetiredLink";
import { TopologyPanel } from "./TopologyPanel";
import { UnaccountedSection } from "./unaccounted/UnaccountedSection";
import { UnsafeSettingsSection } from "./unaccounted/UnsafeSettingsSection";

const ApplyCapacityPanel = lazy(() =>
  import("./ApplyCapacityPanel").then(({ ApplyCapacityPanel: panel }) => ({ default: panel })),
);
const LinkWall = lazy(() =>
  import("../wall/LinkWall").then(({ LinkWall: wall }) => ({ default: wall })),
);

function ClusterLink({ cluster }: { cluster: { id: string; name: string } }) {
  return (
    <AppLink to="/clusters/$clusterId" params={{ clusterId: cluster.id }}>
      {cluster.name}
    </AppLink>
  );
}

function LinkOverview({ link, readAt }: { link: LinkDetail; readAt: number }) {
  const stale = useIsStale(link.age_s, readAt);
  const state = stale ? statusFor("link", "unknown") : statusFor("link", link.state);
  const isPressing = hasPressingFinding(link);
  const findings = (
    <Panel title="Findings" aside={pluralize(link.findings.length, "finding")}>
      <div className={stale ? "stale" : undefined}>
        <FindingList findings={link.findings} />
      </div>
    </Panel>
  );
  return (
    <>
      <PageHeader
        title={link.name}
        right={
          <>
            <AppLink to="/links/$linkId" params={{ linkId: link.id }} search={{ view: "wall" }}>
              Wall
            </AppLink>
            <CurlButton method="GET" path={`/links/${link.id}`} />
            <LinkAge link={link} readAt={readAt} />
          </>
        }
      >
        <span className="dim">
          <ClusterLink cluster={link.active_cluster} /> (active) ⇄{" "}
          <ClusterLink cluster={link.standby_cluster} /> (
          {link.standby_cluster.id === link.invalidated_cluster ? "invalidated" : "standby"})
        </span>
        <StatusChip tone={state.tone}>{state.word}</StatusChip>
      </PageHeader>
      <LinkTabs link={link} at="now" />
      <div className="stack">
        <LinkStatusCallout link={link} readAt={readAt} />
        <UnaccountedSection link={link} />
        <UnsafeSettingsSection link={link} />
        <DivergencePanel link={link} />
        <ChannelErrorPanels link={link} />
        <div className={`${css.columns} ${isPressing ? css.findingsFirst : ""}`}>
          <div className="stack">
            <TopologyPanel link={link} readAt={readAt} />
            <LagPanel link={link} />
            <ProofPanel link={link} />
            <Suspense>
              <ApplyCapacityPanel linkId={link.id} />
            </Suspense>
          </div>
          <div className="stack">
            {isPressing && findings}
            <ReadinessPanel link={link} stale={stale} />
            {!isPressing && findings}
          </div>
        </div>
        <TimelinePanel linkId={link.id} />
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

/** The overview of one link. */
export function LinkPage() {
  const { linkId } = useParams({ from: "/shell/links/$linkId" });
  const { view } = useSearch({ from: "/shell/links/$linkId" });
  const query = useQuery(linkQuery(linkId));
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link" heading="Link" fallback={<Shape />}>
      {(link) =>
        link.retired_at !== null ? (
          <RetiredLink link={link} />
        ) : view === "wall" ? (
          <Suspense>
            <LinkWall link={link} readAt={query.dataUpdatedAt} />
          </Suspense>
        ) : (
          <LinkOverview link={link} readAt={query.dataUpdatedAt} />
        )
      }
    </QueryBoundary>
  );
}
