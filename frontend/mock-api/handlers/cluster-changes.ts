/** Changes of a registered cluster, and what it says of its members. */
import type { Cluster, Node } from "@/api/types";
import { clusterOf, type Database, linksOf } from "../db";
import { http, notFound, problem } from "../http";
import { clusterChanged, linkChanged, refusedChange } from "../registration";
import { now } from "../seeds/clusters";
import { membershipOf } from "../seeds/registration";

const refused = (db: Database, request: Request, cluster: Cluster, given: { reason?: string }) =>
  refusedChange(request, cluster, given, () =>
    clusterChanged(db, cluster, { site: `${cluster.site} II` }),
  );

const linksThatJoin = (db: Database, cluster: Cluster) =>
  linksOf(db).filter(({ active_cluster: active, standby_cluster: standby }) =>
    [active.id, standby.id].includes(cluster.id),
  );

/** A node that was added just now: nothing of it was read yet. */
function added(cluster: Cluster, given: Pick<Node, "name" | "host" | "port">): Node {
  const [pattern] = cluster.nodes;
  if (!pattern) throw new Error("a cluster has nodes");
  return { ...pattern, id: `n_${given.name}`, ...given, observed_at: now() };
}

/** Retires the cluster and its links; the new one has a new id. */
function replace(db: Database, cluster: Cluster, state_uuid: string): Cluster {
  for (const link of linksThatJoin(db, cluster))
    linkChanged(db, link, { retired_at: now(), state: "retired" });
  clusterChanged(db, cluster, { retired_at: now() });
  const fresh = { ...cluster, id: `${cluster.id}_2`, state_uuid, version: 1 };
  db.registration.made.push(fresh);
  return fresh;
}

const nodeHandlers = (db: Database) => [
  http.get("/api/v1/clusters/{cluster_id}/membership", ({ params, response }) => {
    const cluster = clusterOf(db, params.cluster_id);
    return cluster ? response(200).json(membershipOf(db.scenario, cluster)) : notFound("cluster");
  }),
  http.post("/api/v1/clusters/{cluster_id}/nodes", async ({ params, request, response }) => {
    const cluster = clusterOf(db, params.cluster_id);
    if (!cluster) return notFound("cluster");
    const { name, host, port, ...given } = await request.json();
    const refusal = refused(db, request, cluster, given);
    if (refusal) return refusal;
    const node = added(cluster, { name, host, port });
    clusterChanged(db, cluster, { nodes: [...cluster.nodes, node] });
    return response(201).json(node);
  }),
];

export const clusterChangeHandlers = (db: Database) => [
  http.patch("/api/v1/clusters/{cluster_id}", async ({ params, request, response }) => {
    const cluster = clusterOf(db, params.cluster_id);
    if (!cluster) return notFound("cluster");
    const { name, site, tls, ...given } = (await request.json()) ?? {};
    const refusal = refused(db, request, cluster, given);
    if (refusal) return refusal;
    const has_ca = cluster.tls.has_ca || Boolean(tls?.ca);
    const stored = cluster.tls.has_client_certificate;
    const has_client_certificate = tls?.cert === undefined ? stored : tls.cert !== "";
    const key_reference =
      tls?.key_reference ?? (tls?.private_key ? null : cluster.tls.key_reference);
    const change = {
      ...(name ? { name } : {}),
      ...(site ? { site } : {}),
      ...(tls ? { tls: { mode: tls.mode, has_ca, has_client_certificate, key_reference } } : {}),
    };
    return response(200).json(clusterChanged(db, cluster, change));
  }),
  http.delete("/api/v1/clusters/{cluster_id}", ({ params, request, query, response }) => {
    const cluster = clusterOf(db, params.cluster_id);
    if (!cluster) return notFound("cluster");
    const refusal = refused(db, request, cluster, { reason: query.get("reason") });
    if (refusal) return refusal;
    const [link] = linksThatJoin(db, cluster);
    if (link)
      return problem(409, "cluster_in_use", "Cluster belongs to a link", "Retire the link first.", {
        extra: { link_id: link.id },
      });
    return response(200).json(clusterChanged(db, cluster, { retired_at: now(), nodes: [] }));
  }),
  http.put(
    "/api/v1/clusters/{cluster_id}/credentials/{role}",
    async ({ params, request, response }) => {
      const cluster = clusterOf(db, params.cluster_id);
      if (!cluster) return notFound("cluster");
      const refusal = refused(db, request, cluster, await request.json());
      return refusal ?? response(200).json(clusterChanged(db, cluster, {}));
    },
  ),
  http.post("/api/v1/clusters/{cluster_id}/replace", async ({ params, request, response }) => {
    const cluster = clusterOf(db, params.cluster_id);
    if (!cluster) return notFound("cluster");
    const given = await request.json();
    const refusal = refused(db, request, cluster, given);
    return refusal ?? response(201).json(replace(db, cluster, given.state_uuid));
  }),
  ...nodeHandlers(db),
];
