import type { Cluster, LinkDetail } from "@/api/types";
import { formatAge } from "@/lib/format/time";

/** Data older than this is shown grey, and what rests on it is disabled. */
export const STALE_AFTER_S = 5;

/** Whether data is too old to act on; data of unknown age is. */
export const isStale = (ageS: number | null): boolean => ageS === null || ageS > STALE_AFTER_S;

/** Why an operation must wait while data is stale. */
export const STALE_REASON = `Data is older than ${STALE_AFTER_S} s. Wait for the next update.`;

/** A sentence about the state; where its data is stale, with the age of that data. */
export function describeStale(sentence: string, ageS: number | null): string {
  if (ageS === null) return "No data yet.";
  if (ageS <= STALE_AFTER_S) return sentence;
  return `Data is ${formatAge(ageS)} old. Last known state: ${sentence}`;
}

const withOlderNodes = (cluster: Cluster, byS: number): Cluster => ({
  ...cluster,
  nodes: cluster.nodes.map((node) => ({
    ...node,
    age_s: node.age_s === null ? null : node.age_s + byS,
  })),
});

/** The link with its nodes' ages as of now instead of when the link was read, so that old data shows as unknown. */
export function withCurrentAge(link: LinkDetail, ageS: number | null): LinkDetail {
  if (ageS === null || link.age_s === null) return link;
  const byS = ageS - link.age_s;
  const { active, standby } = link.clusters;
  return {
    ...link,
    age_s: ageS,
    clusters: { active: withOlderNodes(active, byS), standby: withOlderNodes(standby, byS) },
  };
}
