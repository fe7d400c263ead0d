/** Advice, its dismissals, and configurations. */
import type { Database } from "../db";
import { http, problem } from "../http";
import { adviceOnCluster, adviceOnLink, configurationOf } from "../seeds/advice";
import { ago, now } from "../seeds/clusters";
import { hostSettings, UNREADABLE } from "../seeds/host-settings";

export const adviceHandlers = (db: Database) => [
  http.get("/api/v1/clusters/{cluster_id}/advice", ({ params, response }) =>
    response(200).json(adviceOnCluster(params.cluster_id, db.dismissals)),
  ),
  http.get("/api/v1/links/{link_id}/advice", ({ response }) =>
    response(200).json(adviceOnLink(db.dismissals)),
  ),
  http.get("/api/v1/clusters/{cluster_id}/certificates", ({ response }) =>
    response(200).json({
      certificates: [
        { kind: "client", name: "CN=hawser (6f1a3c52)", ends_at: ago(-90 * 86_400) },
        { kind: "authority", name: "CN=Milan databases (0b7d91e4)", ends_at: ago(-900 * 86_400) },
        { kind: "server", name: "db-a1", ends_at: ago(-6 * 86_400) },
        { kind: "server", name: "db-a2", ends_at: ago(-200 * 86_400) },
      ],
    }),
  ),
  http.get("/api/v1/clusters/{cluster_id}/configuration", ({ params, query, response }) =>
    response(200).json(configurationOf(params.cluster_id, query.get("profile"))),
  ),
  http.post("/api/v1/clusters/{cluster_id}/host-settings", async ({ request, response }) => {
    const { text, profile } = await request.json();
    if (!text.includes("many"))
      return response(200).json(hostSettings(text, profile ?? "two_sites"));
    const errors = [{ field: "text", message: UNREADABLE }];
    return response.untyped(
      problem(400, "validation_failed", "Invalid request", UNREADABLE, { errors }),
    );
  }),
  http.post("/api/v1/advice-dismissals", async ({ request, response }) => {
    const { code, reason, expires_at } = await request.json();
    const id = `a_${code}`;
    const dismissal = { id, reason, by: db.me?.username ?? "", at: now(), expires_at };
    db.dismissals.set(code, dismissal);
    return response(201).json(dismissal);
  }),
  http.delete("/api/v1/advice-dismissals/{dismissal_id}", ({ params, response }) => {
    db.dismissals.delete(params.dismissal_id.slice(2));
    return response(204).empty();
  }),
];
