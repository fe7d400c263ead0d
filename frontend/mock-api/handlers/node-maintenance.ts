import { clusterOf, type Database } from "../db";
import { http, notFound } from "../http";
import { absenceOf } from "../seeds/node-absence";

export const nodeMaintenanceHandlers = (db: Database) => [
  http.get("/api/v1/clusters/{cluster_id}/node-absence", ({ params, response }) => {
    const cluster = clusterOf(db, params.cluster_id);
    return cluster ? response(200).json(absenceOf(cluster)) : notFound("cluster");
  }),
];
