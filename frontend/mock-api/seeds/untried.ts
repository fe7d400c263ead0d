/** Servers that were never tried, and what is accepted of them. */
import type { AcceptableServer, AcceptedServer, Cluster, LinkDetail } from "@/api/types";
import { now } from "./clusters";

const SERVER: AcceptableServer = {
  flavor: "pxc",
  series: "8.0",
  name: "Percona XtraDB Cluster 8.0",
};

const withPxc = (cluster: Cluster): Cluster => ({
  ...cluster,
  nodes: cluster.nodes.map((node) => ({
    ...node,
    flavor: SERVER.flavor,
    version: "8.0.36-28.1",
    watched_only:
      "Percona XtraDB Cluster 8.0.36-28.1 is watched only: Hawser was never tried with it on a real server",
  })),
});

/** The link with servers that were never tried on both sides. */
export const untried = (link: LinkDetail): LinkDetail => ({
  ...link,
  clusters: { active: withPxc(link.clusters.active), standby: withPxc(link.clusters.standby) },
});

/** What could be accepted of a cluster. */
export const acceptableOf = (cluster: Cluster): AcceptableServer | null =>
  cluster.nodes.some((node) => node.watched_only !== null) ? SERVER : null;

export const acceptedNow = (by: string, text: string): AcceptedServer => ({
  ...SERVER,
  text,
  accepted_by: by,
  accepted_at: now(),
  ended_by: "",
  ended_at: null,
  end_reason: "",
});
