import type { Calibration, Heartbeat } from "@/api/types";
import { http, problem } from "../http";
import { calibration, heartbeat } from "../seeds/calibration";

const NEVER =
  "A heartbeat over this link was never measured. Nothing is written for it until an operator asks.";

/** The second link has no probe schema. */
export const calibrationHandlers = () => {
  const calibrations = new Map<string, Calibration[]>();
  const beats = new Map<string, Heartbeat>([["l_payments", heartbeat("l_payments")]]);
  return [
    http.get("/api/v1/clusters/{cluster_id}/calibrations", ({ params, response }) =>
      response(200).json({ results: calibrations.get(params.cluster_id) ?? [] }),
    ),
    http.post("/api/v1/clusters/{cluster_id}/calibrations", ({ params, response }) => {
      const made = calibration(`z_${calibrations.size}`, params.cluster_id, "db-a1");
      calibrations.set(params.cluster_id, [made]);
      return response(201).json(made);
    }),
    http.get("/api/v1/links/{link_id}/network/heartbeat", ({ params, response }) => {
      const newest = beats.get(params.link_id) ?? null;
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
};
