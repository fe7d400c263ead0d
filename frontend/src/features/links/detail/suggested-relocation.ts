import type { Link, LinkDetail } from "@/api/types";
import type { ProposedChannel } from "@/components/topology/signs";
import { firstStepLink, type StepLink } from "@/components/workflow/step-link";
import { suggestNodePair } from "@/domain/node-eligibility";
import type { OperationKind } from "@/domain/operations";

const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

/** The nodes that the server recommends for an operation of this kind. */
function namedPair(link: Link, kind: OperationKind) {
  const options = link.primary_action?.kind === kind ? link.primary_action.url_options : {};
  return { source: text(options.source_node), replica: text(options.replica_node) };
}

/** The nodes to which the recommended relocation would move the channels: those that the server names, else eligible ones. */
export function suggestedRelocation(link: LinkDetail): ProposedChannel | null {
  if (link.primary_action?.kind !== "relocate") return null;
  const { source, replica } = suggestNodePair(link, namedPair(link, "relocate"));
  if (!source || !replica) return null;
  const nodes = [...link.clusters.active.nodes, ...link.clusters.standby.nodes];
  const name = (id: string) => nodes.find((node) => node.id === id)?.name ?? id;
  return {
    sourceNode: source,
    replicaNode: replica,
    label: `proposed: ${name(source)} ⇄ ${name(replica)}`,
  };
}

/** The first page of an operation, with the nodes that the server suggests. */
export function operationLink(link: Link, kind: OperationKind): StepLink {
  const { source, replica } = namedPair(link, kind);
  return firstStepLink("situation", link.id, kind, { source_node: source, replica_node: replica });
}
