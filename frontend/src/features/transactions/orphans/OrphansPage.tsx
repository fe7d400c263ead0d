import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { linkQuery } from "@/api/resources/links";
import { orphansQuery } from "@/api/resources/orphans";
import type { LinkDetail, Orphans } from "@/api/types";
import { LinkTabs } from "@/components/LinkTabs";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { OrphanSummary } from "./OrphanSummary";
import { OrphanTransactions } from "./OrphanTransactions";
import { ScanDetails } from "./ScanDetails";
import { StrategyList } from "./StrategyList";
import { TableFilter } from "./TableFilter";

function OrphansView({ link, orphans }: { link: LinkDetail; orphans: Orphans }) {
  const { table } = useSearch({ from: "/shell/links/$linkId/orphans" });
  const isFound = orphans.state === "found";
  return (
    <div className="stack">
      <OrphanSummary link={link} orphans={orphans} />
      <StrategyList link={link} orphans={orphans} />
      {isFound && (
        <div className="with-aside">
          <OrphanTransactions
            key={orphans.scanned_at}
            link={link}
            orphans={orphans}
            table={table}
          />
          <div className="stack">
            <TableFilter link={link} orphans={orphans} />
            <ScanDetails orphans={orphans} />
          </div>
        </div>
      )}
      {!isFound && orphans.scanned_at && <ScanDetails orphans={orphans} />}
    </div>
  );
}

function LinkOrphans({ link }: { link: LinkDetail }) {
  const query = useQuery(orphansQuery(link.id));
  return (
    <>
      <PageHeader title={`Orphaned transactions of ${link.name}`} />
      <LinkTabs link={link} at="orphans" />
      <QueryBoundary<Orphans> query={query} label="the orphaned transactions">
        {(orphans) => <OrphansView link={link} orphans={orphans} />}
      </QueryBoundary>
    </>
  );
}

/** The transactions that only the lost side has, and the strategies to handle them. */
export function OrphansPage() {
  const { linkId } = useParams({ from: "/shell/links/$linkId/orphans" });
  const query = useQuery(linkQuery(linkId));
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link" heading="Orphaned transactions">
      {(link) => <LinkOrphans link={link} />}
    </QueryBoundary>
  );
}
