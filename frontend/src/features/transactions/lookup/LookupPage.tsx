import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { clustersQuery } from "@/api/resources/clusters";
import { linksQuery } from "@/api/resources/links";
import type { Cluster, Link, Page } from "@/api/types";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { RequirePermission } from "@/components/RequirePermission";
import { useTimeZone } from "@/components/TimeZoneProvider";
import { zoneNameOf } from "@/lib/format/time";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { LookupForm } from "./LookupForm";
import { LookupResults } from "./LookupResults";
import { criteriaOf, type LookupSearch } from "./lookup-search";

/** The link in the address; else the one of the cluster in it, as in older addresses; else the first. */
const chosenLink = (links: readonly Link[], { link, cluster }: LookupSearch) =>
  links.find((entry) => entry.id === link) ??
  links.find(({ active_cluster, standby_cluster }) =>
    [active_cluster.id, standby_cluster.id].includes(cluster ?? ""),
  ) ??
  links[0];

function Lookup({ links, clusters }: { links: readonly Link[]; clusters: readonly Cluster[] }) {
  const search: LookupSearch = useSearch({ from: "/shell/lookup" });
  const navigate = useNavigate();
  const { zone } = useTimeZone();
  const link = chosenLink(links, search);
  if (!link)
    return (
      <Callout
        tone="neutral"
        title="No link is registered."
        description="Transactions are looked up on the nodes of a link."
      />
    );
  const criteria = criteriaOf(search);
  const key = JSON.stringify(search);
  return (
    <div className="stack">
      <Panel>
        <LookupForm
          key={`${zoneNameOf(zone)}${key}`}
          links={links}
          clusters={clusters}
          link={link}
          search={search}
          onSearch={(next) => void navigate({ to: "/lookup", search: { ...next } })}
        />
      </Panel>
      {criteria && <LookupResults key={key} link={link} criteria={criteria} />}
    </div>
  );
}

/** Finds transactions in the binary logs of a link's nodes, and says which side holds them. */
export function LookupPage() {
  const links = useQuery(linksQuery());
  const clusters = useQuery(clustersQuery());
  return (
    <>
      <PageHeader title="Lookup" />
      <RequirePermission permission="lookup" action="look up transactions">
        <QueryBoundary<Page<Cluster>> query={clusters} label="the clusters">
          {({ results }) => (
            <QueryBoundary<Page<Link>> query={links} label="the links">
              {(page) => <Lookup links={page.results} clusters={results} />}
            </QueryBoundary>
          )}
        </QueryBoundary>
      </RequirePermission>
    </>
  );
}
