/** Which settings a plan may change, and the request for such a plan. */
import type { ConfigurationRow, Link, PlanRequest } from "@/api/types";

/** The rows that can be ticked: dynamic, with a recommended value that a plan may set. */
export const plannableRows = (rows: readonly ConfigurationRow[]): ConfigurationRow[] =>
  rows.filter(({ can_be_planned: canBePlanned }) => canBePlanned);

/** The names with one more, or with one less where it was among them. */
export function toggled(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const changed = new Set(names);
  if (!changed.delete(name)) changed.add(name);
  return changed;
}

/** The links that a plan for this cluster can be made on. */
export const linksOfCluster = (links: readonly Link[], clusterId: string): Link[] =>
  links.filter(({ active_cluster: active, standby_cluster: standby }) =>
    [active.id, standby.id].includes(clusterId),
  );

/** A plan that sets the recommended values of these rows on every node of the cluster. */
export function settingsRequest(
  rows: readonly ConfigurationRow[],
  link: Link,
  clusterId: string,
): PlanRequest {
  return {
    kind: "configure",
    options: {
      side: link.active_cluster.id === clusterId ? "active" : "standby",
      settings: rows.flatMap(({ name, recommendation }) =>
        recommendation ? [{ name, value: recommendation.value }] : [],
      ),
    },
  };
}
