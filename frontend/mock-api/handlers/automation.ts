import { http } from "../http";
import { automaticStart, automation } from "../seeds/rehearsals";

export const automationHandlers = () => [
  http.get("/api/v1/links/{link_id}/automation", ({ response }) =>
    response(200).json(automation()),
  ),
  http.put("/api/v1/links/{link_id}/automation", async ({ request, response }) =>
    response(200).json({ ...automation(), ...(await request.json()) }),
  ),
  http.post("/api/v1/links/{link_id}/automation/acknowledge", ({ response }) =>
    response(200).json({ ...automation(), blocked_until: null }),
  ),
  http.get("/api/v1/links/{link_id}/automation/start", ({ response }) =>
    response(200).json(automaticStart()),
  ),
  http.put("/api/v1/links/{link_id}/automation/start", async ({ request, response }) =>
    response(200).json({ ...automaticStart(), ...(await request.json()) }),
  ),
];
