import { useQuery } from "@tanstack/react-query";
import { membershipQuery } from "@/api/resources/clusters";
import type { Cluster, Link, Membership } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { pluralize } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { AbsentNodes } from "./AbsentNodes";
import { NewHistoryCallout } from "./NewHistoryCallout";
import { ReplacedNodes } from "./ReplacedNodes";
import { UnregisteredMembers } from "./UnregisteredMembers";

/** What is unknown of the members, and what to do; null where all is known. */
function unknownText({ size, absent }: Membership): string | null {
  if (size === null)
    return "Members: unknown. No registered node tells which members its cluster has.";
  if (absent === null)
    return "Absent nodes: unknown. Some members have no known address, so it is not certain who left.";
  return null;
}

function Members({ cluster, membership }: { cluster: Cluster; membership: Membership }) {
  const { size, absent, unregistered, unaddressed, replaced } = membership;
  const unknown = unknownText(membership);
  const agrees = [unregistered, absent ?? [], replaced].every((list) => list.length === 0);
  return (
    <div className="stack">
      <p className="dim">
        Members that the cluster names: {size === null ? "unknown" : pluralize(size, "member")}.
        Registered: {pluralize(cluster.nodes.length, "node")}.
      </p>
      {unknown && <StatusChip tone="unknown">{unknown}</StatusChip>}
      {unknown === null && agrees && unaddressed === 0 && (
        <StatusChip tone="ok">Members and registered nodes agree.</StatusChip>
      )}
      <UnregisteredMembers cluster={cluster} membership={membership} />
      <AbsentNodes cluster={cluster} absent={absent ?? []} />
      <ReplacedNodes cluster={cluster} nodes={replaced} />
    </div>
  );
}

/** The members that a cluster names, compared with the registered nodes; above it, a new history. */
export function MembershipPanel(props: { cluster: Cluster; links: readonly Link[] }) {
  const { cluster, links } = props;
  const query = useQuery(membershipQuery(cluster.id));
  const history = query.data?.new_history;
  return (
    <>
      {history && <NewHistoryCallout cluster={cluster} history={history} links={links} />}
      <Panel title="Membership" aside="by the last poll">
        <QueryBoundary<Membership> query={query} label="the membership">
          {(membership) => <Members cluster={cluster} membership={membership} />}
        </QueryBoundary>
      </Panel>
    </>
  );
}
