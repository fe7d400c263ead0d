import type { Cluster, LinkDetail, Node } from "@/api/types";
import { nodeFence, type SideFence, sideFence } from "@/domain/fencing";
import { STALE_AFTER_S } from "@/domain/freshness";
import { type Status, statusFor } from "@/domain/status";
import { formatNumber } from "@/lib/format/number";
import type { Tone } from "@/ui/StatusIcon";

export type Role = "active" | "standby" | "invalidated";

/** One site in the diagram: a cluster with its role, and what is known of it now. */
export interface Side {
  cluster: Cluster;
  role: Role;
  status: Status;
  /** "3/3 up". */
  up: string;
  fence: SideFence;
  /** "seqno 221,465,100". */
  seqno: string;
}

type NodeAge = (node: Node) => number | null;

/** The tone of a fence depends on the role: it belongs on a lost side, and stops the active one. */
function toneOfFence(nodes: readonly Node[], role: Role, tone: Tone): Tone {
  const fences = nodes.map((node) => nodeFence(node.read_only));
  if (tone === "unknown") return tone;
  if (role === "invalidated") return fences.includes("open") ? "bad" : tone;
  if (role === "active")
    return fences.includes("fenced") ? (fences.includes("open") ? "warn" : "bad") : tone;
  return fences.every((fence) => fence === fences[0]) ? "neutral" : tone;
}

/** What was read of a node too long ago counts as unknown now. */
const asKnown = (node: Node, ageS: number | null): Node =>
  node.reach === "up" && ageS !== null && ageS <= STALE_AFTER_S
    ? node
    : { ...node, read_only: null };

function sideOf(link: LinkDetail, at: "active" | "standby", stale: boolean, age: NodeAge): Side {
  const [brief, cluster] = [link[`${at}_cluster`], link.clusters[at]];
  const role = brief.id === link.invalidated_cluster ? "invalidated" : at;
  const nodes = cluster.nodes.map((node) => asKnown(node, stale ? null : age(node)));
  const fence = sideFence(nodes);
  const seqno = formatNumber(brief.last_committed);
  const isNonPrimary = !stale && brief.status === "non_primary";
  return {
    cluster: { ...cluster, nodes },
    role,
    status: statusFor("cluster", stale ? "unknown" : brief.status),
    up: stale ? `${brief.nodes} nodes` : `${brief.nodes_up}/${brief.nodes} up`,
    // Without a Primary Component no node takes queries, fenced or not.
    fence: isNonPrimary
      ? { tone: "bad", words: "no writes: non-Primary" }
      : { ...fence, tone: toneOfFence(nodes, role, fence.tone) },
    seqno: stale && brief.last_committed !== null ? `last known seqno ${seqno}` : `seqno ${seqno}`,
  };
}

/** Both sites. The home site is always on the left, so that sites keep their place when roles are swapped. */
export function sidesOf(link: LinkDetail, stale: boolean, age: NodeAge): [Side, Side] {
  const [active, standby] = [
    sideOf(link, "active", stale, age),
    sideOf(link, "standby", stale, age),
  ];
  return link.home_cluster.id === link.standby_cluster.id ? [standby, active] : [active, standby];
}
