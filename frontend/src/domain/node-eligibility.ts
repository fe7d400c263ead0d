/** Which nodes could carry the link, and why the others cannot. The server's checks decide; this only guides. */
import type { Cluster, LinkDetail, Node } from "@/api/types";
import { nodeStatus } from "./node-status";

export interface Candidate {
  node: Node;
  /** Null: may be chosen. */
  ineligibleReason: string | null;
}

function ineligibleReason(node: Node, nowMs: number): string | null {
  const status = nodeStatus(node, node.age_s, nowMs);
  if (status.tone !== "ok") return status.line;
  if (!node.binlog) return "no binary log: nothing could be read from it";
  return null;
}

export function candidatesOf(cluster: Cluster, nowMs: number): Candidate[] {
  return cluster.nodes.map((node) => ({ node, ineligibleReason: ineligibleReason(node, nowMs) }));
}

/**
 * The node to suggest: what was asked for, else the one that stands there now if it is well
 * and is not the one to leave, else the first that is well.
 */
export function suggestNode(
  candidates: readonly Candidate[],
  asked: string | undefined,
  standing: string | null,
  leave: string | null,
): string | null {
  const fit = candidates.filter((candidate) => candidate.ineligibleReason === null);
  const has = (id: string | null | undefined) => fit.some((candidate) => candidate.node.id === id);
  if (asked && candidates.some((candidate) => candidate.node.id === asked)) return asked;
  if (standing && standing !== leave && has(standing)) return standing;
  return fit.find((candidate) => candidate.node.id !== leave)?.node.id ?? null;
}

/** The pair that the link stands on now, by its forward channel. */
function currentNodePair(link: LinkDetail): {
  source: string | null;
  replica: string | null;
} {
  const forward = link.channels.find((entry) => entry.direction === "forward" && !entry.stray);
  return { source: forward?.source_node ?? null, replica: forward?.replica_node ?? null };
}

/** The pair to suggest, given what was asked for; null where a side has no fit node. */
export function suggestNodePair(
  link: LinkDetail,
  asked: { source?: string | undefined; replica?: string | undefined },
  nowMs: number,
) {
  const standing = currentNodePair(link);
  const leave = link.primary_action?.replaced_node ?? null;
  const sources = candidatesOf(link.clusters.active, nowMs);
  const replicas = candidatesOf(link.clusters.standby, nowMs);
  return {
    standing,
    sources,
    replicas,
    source: suggestNode(sources, asked.source, standing.source, leave),
    replica: suggestNode(replicas, asked.replica, standing.replica, leave),
  };
}

/** The name of the node that the suggested action is about, if there is one. */
export function nodeToLeave(link: LinkDetail): string | null {
  const id = link.primary_action?.replaced_node;
  const nodes = [...link.clusters.active.nodes, ...link.clusters.standby.nodes];
  return nodes.find((node) => node.id === id)?.name ?? null;
}
