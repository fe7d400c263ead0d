import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { linkQuery } from "@/api/resources/links";
import { networkQuery } from "@/api/resources/network";
import type { LinkDetail, Network } from "@/api/types";
import { LinkTabs } from "@/components/LinkTabs";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { RequirePermission } from "@/components/RequirePermission";
import { HeartbeatPanel } from "./HeartbeatPanel";
import { MeasurementsPanel } from "./MeasurementsPanel";
import { PastePanel } from "./PastePanel";
import { ProbePanel } from "./ProbePanel";
import { SqlPanel } from "./SqlPanel";
import { VerdictPanel } from "./VerdictPanel";

function LinkNetwork({ link }: { link: LinkDetail }) {
  const demand = useSearch({ from: "/shell/links/$linkId/network" });
  const navigate = useNavigate();
  const network = useQuery(networkQuery(link.id, demand));
  return (
    <>
      <PageHeader title={`Network of ${link.name}`} />
      <LinkTabs link={link} at="network" />
      <div className="stack">
        <QueryBoundary<Network> query={network} label="the measurements">
          {({ verdict, measurements, script }) => (
            <>
              <VerdictPanel
                verdict={verdict}
                onDemand={(search) =>
                  void navigate({
                    to: "/links/$linkId/network",
                    params: { linkId: link.id },
                    search,
                    replace: true,
                  })
                }
              />
              <MeasurementsPanel rows={measurements} />
              <HeartbeatPanel link={link} />
              {link.retired_at === null && (
                <RequirePermission permission="plan" action="measure the network">
                  <ProbePanel link={link} script={script} />
                  <PastePanel link={link} />
                  <SqlPanel linkId={link.id} />
                </RequirePermission>
              )}
            </>
          )}
        </QueryBoundary>
      </div>
    </>
  );
}

/** The network between the two sites of a link: what was measured, and what follows for one cluster over both. */
export function NetworkPage() {
  const { linkId } = useParams({ from: "/shell/links/$linkId/network" });
  const query = useQuery(linkQuery(linkId));
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link" heading="Network">
      {(link) => <LinkNetwork link={link} />}
    </QueryBoundary>
  );
}
