import { useQuery } from "@tanstack/react-query";
import { membershipQuery } from "@/api/resources/clusters";
import type { Cluster, Membership } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { formatNumber } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { AbsentNodes } from "./AbsentNodes";
import { ReplacedNodes } from "./ReplacedNodes";
import { UnregisteredMembers } from "./UnregisteredMembers";

/** What is unknown of the members, and what to do; null where all is known. */
function unknownText({ size, absent }: Membership): string | null {
  if (size === null) return "No registered node tells which members its cluster has.";
  if (absent === null)
    return "Some members have no known address. Which registered nodes left the cluster is unknown.";
  return null;
}

function Members({ cluster, membership }: { cluster: Cluster; membership: Membership }) {
  const { size, absent, unregistered, unaddressed, replaced } = membership;
  const unknown = unknownText(membership);
  const agrees = [unregistered, absent ?? [], replaced].every((list) => list.length === 0);
  return (
    <div className="stack">
      <p className="dim">
        Members by the cluster's own count: {formatNumber(size)}. Registered nodes:{" "}
        {formatNumber(cluster.nodes.length)}.
      </p>
      {unknown && (
        <p className="row">
          <StatusChip tone="unknown">unknown</StatusChip>
          <span className="grow">{unknown}</span>
        </p>
      )}
      {unknown === null && agrees && unaddressed === 0 && (
        <div>
          <StatusChip tone="ok">Members and registered nodes agree</StatusChip>
        </div>
      )}
      <UnregisteredMembers cluster={cluster} membership={membership} />
      <AbsentNodes cluster={cluster} absent={absent ?? []} />
      <ReplacedNodes cluster={cluster} nodes={replaced} />
    </div>
  );
}

/** The members that a cluster names, compared with the registered nodes. */
export function MembershipPanel({ cluster }: { cluster: Cluster }) {
  const query = useQuery(membershipQuery(cluster.id));
  return (
    <Panel title="Membership" aside="by the last poll">
      <QueryBoundary<Membership> query={query} label="the membership">
        {(membership) => <Members cluster={cluster} membership={membership} />}
      </QueryBoundary>
    </Panel>
  );
}
