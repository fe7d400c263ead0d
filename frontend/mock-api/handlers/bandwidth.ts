import { clusterOf, type Database } from "../db";
import { http, notFound, problem } from "../http";
import { bandwidthOf } from "../seeds/bandwidth";

const ABSURD = "Give mbit_per_s as a number from 0.1 to 1,000,000 Mbit/s, not 0.";

export const bandwidthHandlers = (db: Database) => [
  http.get("/api/v1/clusters/{cluster_id}/bandwidth", ({ params, response }) => {
    const cluster = clusterOf(db, params.cluster_id);
    return cluster ? response(200).json(bandwidthOf(cluster, db.bandwidth)) : notFound("cluster");
  }),
  http.put("/api/v1/clusters/{cluster_id}/bandwidth/capacity", async ({ params, ...rest }) => {
    const cluster = clusterOf(db, params.cluster_id);
    const { mbit_per_s: mbit } = await rest.request.json();
    if (!cluster) return notFound("cluster");
    if (mbit === 0)
      return problem(400, "validation_failed", "Invalid request", ABSURD, {
        errors: [{ field: "mbit_per_s", message: ABSURD }],
      });
    db.bandwidth.mbit = mbit;
    return rest.response(200).json(bandwidthOf(cluster, db.bandwidth));
  }),
];
