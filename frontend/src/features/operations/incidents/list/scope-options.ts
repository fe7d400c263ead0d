/** What can be lost, as the options of a list: the sites of the clusters, and their nodes. */
import type { Cluster, TouchedScope } from "@/api/types";

interface OptionGroup {
  group: string;
  items: { value: string; label: string }[];
}

const SITE = "site ";
const NODE = "node ";

/** Sites first. A site from the address is offered although no cluster is read yet. */
export function scopeOptions(
  clusters: readonly Cluster[],
  also: string | undefined,
): OptionGroup[] {
  const sites = new Set([...clusters.map((cluster) => cluster.site), ...(also ? [also] : [])]);
  const nodes = clusters.flatMap((cluster) =>
    cluster.nodes.map((node) => ({
      value: `${NODE}${node.id}`,
      label: `${node.name} (${cluster.name}, ${node.host})`,
    })),
  );
  const listed = [...sites].sort().map((site) => ({ value: `${SITE}${site}`, label: site }));
  return [
    { group: "Sites", items: listed },
    { group: "Nodes", items: nodes },
  ];
}

/** The scope that an option stands for. */
export function scopeOf(option: string | null): TouchedScope | null {
  if (option?.startsWith(SITE)) return { site: option.slice(SITE.length) };
  if (option?.startsWith(NODE)) return { node: option.slice(NODE.length) };
  return null;
}
