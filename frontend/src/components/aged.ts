import type { Cluster, LinkDetail } from "@/api/types";

const older = (cluster: Cluster, byS: number): Cluster => ({
  ...cluster,
  nodes: cluster.nodes.map((node) => ({
    ...node,
    age_s: node.age_s === null ? null : node.age_s + byS,
  })),
});

/** A link whose nodes have the age of now, not the one of when the link was read: what was well then is not known. */
export function aged(link: LinkDetail, ageS: number | null): LinkDetail {
  if (ageS === null || link.age_s === null) return link;
  const byS = ageS - link.age_s;
  const { active, standby } = link.clusters;
  return {
    ...link,
    age_s: ageS,
    clusters: { active: older(active, byS), standby: older(standby, byS) },
  };
}
