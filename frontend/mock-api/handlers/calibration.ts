import type { Database } from "../db";
import { http, problem } from "../http";
import { calibration, heartbeat } from "../seeds/calibration";

const NEVER =
  "A heartbeat over this link was never measured. Nothing is written for it until an operator asks.";

/** The second link has no probe schema. */
export const calibrationHandlers = (db: Database) => [
  http.get("/api/v1/clusters/{cluster_id}/calibrations", ({ params, response }) => {
    const made = db.calibrations.get(params.cluster_id);
    return response(200).json({ results: made ? [made] : [] });
  }),
  http.post("/api/v1/clusters/{cluster_id}/calibrations", ({ params, response }) => {
    const made = calibration("z_1", params.cluster_id, "db-a1");
    db.calibrations.set(params.cluster_id, made);
    return response(201).json(made);
  }),
  http.get("/api/v1/links/{link_id}/network/heartbeat", ({ params, response }) => {
    const newest = params.link_id === "l_payments" ? heartbeat(params.link_id) : null;
    return response(200).json({ newest, reason: newest ? "" : NEVER });
  }),
  http.post("/api/v1/links/{link_id}/network/heartbeat", ({ params, response }) => {
    if (params.link_id !== "l_payments")
      return response.untyped(
        problem(
          409,
          "calibration_no_probe_schema",
          "Probe schema not enabled",
          "The probe schema does not exist on db-c1: no administrator allowed the console to write here. Create hawser.probe as the page of privileges says. Nothing was written.",
        ),
      );
    return response(201).json(heartbeat(params.link_id));
  }),
];
