import type { Cluster, CreateClusterRequest, Finding } from "@/api/types";
import { clusterOf, clustersOf, type Database } from "../db";
import { http, notFound, problem } from "../http";
import { milan, now } from "../seeds/clusters";
import { finding } from "../seeds/links";

const CHECKED: Finding[] = [
  finding(
    "blocker",
    "grants_missing",
    "The monitor account 'hawser_monitor'@'%' on db-a1 lacks BINLOG MONITOR. The binary log cannot be read: the node can be neither source nor replica, and no position can be proven.",
    "GRANT BINLOG MONITOR ON *.* TO 'hawser_monitor'@'%';",
  ),
  finding("ok", "tls", "TLS verified on all nodes."),
];

const created = ({ name, site }: CreateClusterRequest): Cluster => ({
  ...milan(),
  id: `c_${name}`,
  name,
  site,
  created_at: now(),
});

export const clusterHandlers = (db: Database) => [
  http.get("/api/v1/clusters", ({ response }) =>
    response(200).json({ results: clustersOf(db), next: null }),
  ),
  http.post("/api/v1/clusters", async ({ request, response }) => {
    const body = await request.json();
    if (clustersOf(db).some((cluster) => cluster.name === body.name))
      return problem(409, "cluster_exists", "Cluster exists", "A cluster has this name already.", {
        errors: [{ field: "name", message: "A cluster has this name already." }],
      });
    return response(201).json(created(body));
  }),
  http.get("/api/v1/clusters/{cluster_id}", ({ params, response }) => {
    const cluster = clusterOf(db, params.cluster_id);
    return cluster ? response(200).json(cluster) : notFound("cluster");
  }),
  http.post("/api/v1/clusters/{cluster_id}/check", ({ response }) =>
    response(200).json({ findings: CHECKED }),
  ),
  http.get("/api/v1/nodes/{node_id}", ({ params, response }) => {
    const nodes = clustersOf(db).flatMap((cluster) => cluster.nodes);
    const node = nodes.find((entry) => entry.id === params.node_id);
    return node ? response(200).json(node) : notFound("node");
  }),
];
