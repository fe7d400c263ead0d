import type { Cluster, Link, LinkDetail, Node } from "@/api/types";

/** One site in the diagram: a cluster with its role. */
export interface Side {
  cluster: Cluster;
  brief: Link["active_cluster"];
  role: string;
  invalidated: boolean;
}

/** Both sites. The home site is always on the left, so that sites keep their place when roles are swapped. */
export function sidesOf(link: LinkDetail): [Side, Side] {
  const isInvalidated = (id: string) => id === link.invalidated_cluster;
  const active: Side = {
    cluster: link.clusters.active,
    brief: link.active_cluster,
    role: "active",
    invalidated: isInvalidated(link.active_cluster.id),
  };
  const standby: Side = {
    cluster: link.clusters.standby,
    brief: link.standby_cluster,
    role: isInvalidated(link.standby_cluster.id) ? "invalidated" : "standby",
    invalidated: isInvalidated(link.standby_cluster.id),
  };
  return link.home_cluster.id === standby.brief.id ? [standby, active] : [active, standby];
}

/** Both sites of a link whose data is stale: which nodes are writable is unknown. */
export function sidesWithUnknownFence(link: LinkDetail): [Side, Side] {
  const unread = (node: Node) => ({ ...node, read_only: null });
  const withoutFence = (side: Side): Side => ({
    ...side,
    cluster: { ...side.cluster, nodes: side.cluster.nodes.map(unread) },
  });
  const [left, right] = sidesOf(link);
  return [withoutFence(left), withoutFence(right)];
}
