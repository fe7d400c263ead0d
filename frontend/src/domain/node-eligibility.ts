/** Which nodes can hold a channel, as the server derives it for each node. The checks of a plan decide; this only guides. */
import type { Cluster, LinkDetail, Node } from "@/api/types";
import { formatAge } from "@/lib/format/time";
import { isStale } from "./freshness";

export interface Candidate {
  node: Node;
  /** Null: may be chosen. */
  ineligibleReason: string | null;
}

/** The server judged the node when it was read: data that has become stale since then makes no node eligible. */
function ineligibleReason({ age_s, eligibility }: Node): string | null {
  if (eligibility.reason) return eligibility.reason.message;
  if (!isStale(age_s)) return null;
  return age_s === null ? "no data yet" : `last update ${formatAge(age_s)} ago`;
}

export const candidatesOf = (cluster: Cluster): Candidate[] =>
  cluster.nodes.map((node) => ({ node, ineligibleReason: ineligibleReason(node) }));

/**
 * The node to suggest: the requested one; else the current one, if it is eligible and not the one
 * to be replaced; else the first eligible one.
 */
export function suggestNode(
  candidates: readonly Candidate[],
  requested: string | undefined,
  current: string | null,
  replaced: string | null,
): string | null {
  const eligible = candidates.filter((candidate) => candidate.ineligibleReason === null);
  const isEligible = (id: string) => eligible.some((candidate) => candidate.node.id === id);
  if (requested && candidates.some((candidate) => candidate.node.id === requested))
    return requested;
  if (current && current !== replaced && isEligible(current)) return current;
  return eligible.find((candidate) => candidate.node.id !== replaced)?.node.id ?? null;
}

/** The nodes that hold the link's forward channel now. */
function currentNodePair(link: LinkDetail): {
  source: string | null;
  replica: string | null;
} {
  const forward = link.channels.find((entry) => entry.direction === "forward" && !entry.stray);
  return { source: forward?.source_node ?? null, replica: forward?.replica_node ?? null };
}

/** The pair to suggest, given what was requested; null where a side has no eligible node. */
export function suggestNodePair(
  link: LinkDetail,
  requested: { source?: string | undefined; replica?: string | undefined },
) {
  const current = currentNodePair(link);
  const replaced = link.primary_action?.replaced_node ?? null;
  const sources = candidatesOf(link.clusters.active);
  const replicas = candidatesOf(link.clusters.standby);
  return {
    current,
    sources,
    replicas,
    source: suggestNode(sources, requested.source, current.source, replaced),
    replica: suggestNode(replicas, requested.replica, current.replica, replaced),
  };
}

/** The name of the node that the recommended operation is about, if there is one. */
export function replacedNodeName(link: LinkDetail): string | null {
  const id = link.primary_action?.replaced_node;
  const nodes = [...link.clusters.active.nodes, ...link.clusters.standby.nodes];
  return nodes.find((node) => node.id === id)?.name ?? null;
}
