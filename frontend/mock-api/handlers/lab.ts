import type { LabNodeAction } from "@/api/types";
import type { Database } from "../db";
import { http } from "../http";
import { labNodeIn, labVerdict } from "../seeds/lab";

const AFTER: Record<LabNodeAction, "running" | "frozen" | "stopped"> = {
  kill: "stopped",
  freeze: "frozen",
  thaw: "running",
  start: "running",
};

export const labHandlers = (db: Database) => [
  http.get("/api/v1/lab", ({ response }) => response(200).json(db.lab)),
  http.post("/api/v1/lab/nodes/{name}", async ({ params, request, response }) => {
    const { action } = await request.json();
    db.lab.nodes = db.lab.nodes.map((node) =>
      node.name === params.name ? { ...node, ...labNodeIn(AFTER[action]) } : node,
    );
    return response(200).json({ done: action });
  }),
  http.post("/api/v1/lab/sites/{site}", async ({ params, request, response }) => {
    const { action } = await request.json();
    const state = action === "lose" ? "stopped" : "running";
    db.lab.nodes = db.lab.nodes.map((node) =>
      node.site === params.site ? { ...node, ...labNodeIn(state) } : node,
    );
    return response(202).json({ done: action });
  }),
  http.post("/api/v1/lab/load", async ({ request, response }) => {
    const { action } = await request.json();
    db.lab.load.running = action === "start";
    return response(200).json({ done: action });
  }),
  http.patch("/api/v1/lab/load", async ({ request, response }) => {
    Object.assign(db.lab.load, await request.json());
    return response(200).json({ done: "switched" });
  }),
  http.post("/api/v1/lab/verify", ({ response }) => {
    db.verificationStartedAt = Date.now();
    return response(202).json({ id: "v_1" });
  }),
  http.get("/api/v1/lab/verify", ({ response }) =>
    response(200).json(labVerdict(db.verificationStartedAt)),
  ),
];
