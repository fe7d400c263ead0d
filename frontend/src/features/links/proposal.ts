import type { Link, LinkDetail } from "@/api/types";
import { suggestedPair } from "@/components/candidates";
import type { Proposal } from "@/components/LinkPicture";
import type { Kind } from "@/lib/kinds";
import { serverNow } from "@/lib/time";

const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

/** The pair that the server's own suggestion names, if the action is of this kind. */
function namedPair(link: Link, kind: Kind) {
  const options = link.primary_action?.kind === kind ? link.primary_action.url_options : {};
  return { source: text(options.source_node), replica: text(options.replica_node) };
}

/** The pair the primary action would move the channels to, as the server names it or as the nodes suggest it. */
export function proposalOf(link: LinkDetail): Proposal | null {
  if (link.primary_action?.kind !== "relocate") return null;
  const { source, replica } = suggestedPair(link, namedPair(link, "relocate"), serverNow());
  if (!source || !replica) return null;
  const nodes = [...link.clusters.active.nodes, ...link.clusters.standby.nodes];
  const name = (id: string) => nodes.find((node) => node.id === id)?.name ?? id;
  return {
    sourceNode: source,
    replicaNode: replica,
    label: `proposed: ${name(source)} ⇄ ${name(replica)}`,
  };
}

/** Where a planned act begins: the first page of the guided flow, with what the server suggests. */
export function flowAddress(link: Link, kind: Kind): string {
  const { source, replica } = namedPair(link, kind);
  const params = new URLSearchParams();
  if (source) params.set("source_node", source);
  if (replica) params.set("replica_node", replica);
  const tail = params.toString();
  return `/links/${link.id}/${kind}/situation${tail ? `?${tail}` : ""}`;
}
