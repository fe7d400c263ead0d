import type { Cluster, LinkDetail } from "@/api/types";
import { formatAge } from "@/lib/format/time";

const older = (cluster: Cluster, byS: number): Cluster => ({
  ...cluster,
  nodes: cluster.nodes.map((node) => ({
    ...node,
    age_s: node.age_s === null ? null : node.age_s + byS,
  })),
});

/** A link whose nodes have the age of now, not the one of when the link was read: what was well then is not known. */
export function withCurrentAge(link: LinkDetail, ageS: number | null): LinkDetail {
  if (ageS === null || link.age_s === null) return link;
  const byS = ageS - link.age_s;
  const { active, standby } = link.clusters;
  return {
    ...link,
    age_s: ageS,
    clusters: { active: older(active, byS), standby: older(standby, byS) },
  };
}
/** Facts older than this are shown grey, and what rests on them is disabled. */

export const STALE_AFTER_S = 5;
/** What was so when it was read; past its limit it is told as that, with its age. */

export function describeStale(sentence: string, ageS: number | null): string {
  if (ageS === null) return "Not known now. Nothing was read yet.";
  if (ageS <= STALE_AFTER_S) return sentence;
  return `Not known now. Last read ${formatAge(ageS)} ago: ${sentence}`;
}

/** Whether data is too old to act on; an unknown age is. */
export const isStale = (ageS: number | null): boolean => ageS === null || ageS > STALE_AFTER_S;
