import { clusterOf, type Database } from "../db";
import { http, notFound, problem } from "../http";
import { clusterConcurrencyOf } from "../seeds/cluster-concurrency";
import { concurrencyOf } from "../seeds/concurrency";
import { absenceOf } from "../seeds/node-absence";
import { endMaintenance } from "../seeds/node-maintenances";
import { transferOf } from "../seeds/state-transfer";

const TOO_SMALL = "Give data_bytes as a number from 1 to 1.15292e+18 bytes, not 0.";

export const nodeMaintenanceHandlers = (db: Database) => [
  http.get("/api/v1/clusters/{cluster_id}/node-absence", ({ params, response }) => {
    const cluster = clusterOf(db, params.cluster_id);
    return cluster ? response(200).json(absenceOf(cluster)) : notFound("cluster");
  }),
  http.get("/api/v1/clusters/{cluster_id}/node-maintenances", ({ params, response }) =>
    response(200).json({ results: params.cluster_id === "c_milan" ? db.maintenances : [] }),
  ),
  http.post("/api/v1/node-maintenances/{maintenance_id}/end", ({ params, response }) => {
    const found = endMaintenance(db.maintenances, params.maintenance_id);
    return found ? response(200).json(found) : notFound("maintenance");
  }),
  http.get("/api/v1/clusters/{cluster_id}/concurrency", ({ params, response }) => {
    const cluster = clusterOf(db, params.cluster_id);
    return cluster ? response(200).json(clusterConcurrencyOf(cluster)) : notFound("cluster");
  }),
  http.get("/api/v1/concurrency", ({ query, response }) =>
    response(200).json(concurrencyOf(query.get("delays_ms"))),
  ),
  http.get("/api/v1/clusters/{cluster_id}/state-transfer", ({ params, query, response }) => {
    const cluster = clusterOf(db, params.cluster_id);
    const size = query.get("data_bytes");
    const line = query.get("line_mbit_per_s");
    if (size !== null && Number(size) < 1)
      return problem(400, "validation_failed", "Invalid request", TOO_SMALL, {
        errors: [{ field: "data_bytes", message: TOO_SMALL }],
      });
    const given = { data_bytes: Number(size ?? 0), line_mbit_per_s: Number(line ?? 0) };
    return cluster ? response(200).json(transferOf(cluster, given)) : notFound("cluster");
  }),
];
