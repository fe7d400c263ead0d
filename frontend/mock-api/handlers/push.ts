import type { Database } from "../db";
import { http } from "../http";
import { PUSH_KEY, pushBrowser } from "../seeds/push";

/** Web Push: what a push service would do is left out, so a test is accepted unless the browser is `w_gone`. */
export const pushHandlers = (db: Database) => [
  http.get("/api/v1/push", ({ response }) =>
    response(200).json({
      public_key: db.scenario === "empty" ? null : PUSH_KEY,
      at_most: 10,
      subscriptions: db.pushBrowsers,
    }),
  ),
  http.post("/api/v1/push/subscriptions", async ({ request, response }) => {
    const { incidents, approvals, failed_runs, endpoint } = await request.json();
    const choice = { incidents, approvals, failed_runs };
    const made = pushBrowser("w_own", { ...choice, push_service: new URL(endpoint).host });
    db.pushBrowsers = [...db.pushBrowsers.filter(({ id }) => id !== made.id), made];
    return response(201).json(made);
  }),
  http.delete("/api/v1/push/subscriptions/{subscription_id}", ({ params, response }) => {
    db.pushBrowsers = db.pushBrowsers.filter(({ id }) => id !== params.subscription_id);
    return response(204).empty();
  }),
  http.post("/api/v1/push/subscriptions/{subscription_id}/test", ({ params, response }) => {
    const isGone = params.subscription_id === "w_gone";
    if (isGone) db.pushBrowsers = db.pushBrowsers.filter(({ id }) => id !== "w_gone");
    return response(200).json({
      is_accepted: !isGone,
      status: isGone ? 410 : 201,
      error: isGone ? "answered 410" : "",
      is_removed: isGone,
    });
  }),
];
