/** Accepting plans with servers that were never tried, and withdrawing that. */
import type { AcceptedServer, Cluster, ServerAcceptance } from "@/api/types";
import { clusterOf, type Database } from "../db";
import { http, notFound, problem } from "../http";
import { clusterChanged, refusedChange } from "../registration";
import { now } from "../seeds/clusters";
import { acceptableOf, acceptedNow } from "../seeds/untried";

const acceptanceOf = (db: Database, cluster: Cluster): ServerAcceptance => {
  const given = db.registration.acceptances.get(cluster.id) ?? [];
  return {
    version: cluster.version,
    acceptable: acceptableOf(cluster),
    current: given.find((one) => one.ended_at === null) ?? null,
    earlier: given.filter((one) => one.ended_at !== null),
  };
};

/** Store what is accepted; the nodes say whether plans are made with them. */
function keep(db: Database, cluster: Cluster, given: AcceptedServer[]): ServerAcceptance {
  db.registration.acceptances.set(cluster.id, given);
  const is_accepted = given.some((one) => one.ended_at === null);
  const nodes = cluster.nodes.map((node) => ({ ...node, is_accepted }));
  return acceptanceOf(db, clusterChanged(db, cluster, { nodes }));
}

const refused = (db: Database, request: Request, cluster: Cluster, given: { reason?: string }) =>
  refusedChange(request, cluster, given, () => clusterChanged(db, cluster, {}));

export const acceptanceHandlers = (db: Database) => [
  http.get("/api/v1/clusters/{cluster_id}/acceptance", ({ params, response }) => {
    const cluster = clusterOf(db, params.cluster_id);
    return cluster ? response(200).json(acceptanceOf(db, cluster)) : notFound("cluster");
  }),
  http.post("/api/v1/clusters/{cluster_id}/acceptance", async ({ params, request, response }) => {
    const cluster = clusterOf(db, params.cluster_id);
    if (!cluster) return notFound("cluster");
    const given = await request.json();
    const refusal = refused(db, request, cluster, given);
    if (refusal) return refusal;
    if (acceptanceOf(db, cluster).current)
      return problem(409, "already_accepted", "Already accepted", "Withdraw it first.");
    const fresh = acceptedNow(db.me?.username ?? "ada", given.reason);
    const before = db.registration.acceptances.get(cluster.id) ?? [];
    return response(201).json(keep(db, cluster, [fresh, ...before]));
  }),
  http.delete(
    "/api/v1/clusters/{cluster_id}/acceptance",
    ({ params, request, query, response }) => {
      const cluster = clusterOf(db, params.cluster_id);
      if (!cluster) return notFound("cluster");
      const reason = query.get("reason");
      const refusal = refused(db, request, cluster, { reason });
      if (refusal) return refusal;
      const ended = { ended_at: now(), ended_by: db.me?.username ?? "ada", end_reason: reason };
      const given = db.registration.acceptances.get(cluster.id) ?? [];
      const rows = given.map((one) => (one.ended_at === null ? { ...one, ...ended } : one));
      return response(200).json(keep(db, cluster, rows));
    },
  ),
];
