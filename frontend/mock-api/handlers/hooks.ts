import type { Hook } from "@/api/types";
import { http, notFound, paged } from "../http";
import { now } from "../seeds/clusters";
import { deliveries, hooks } from "../seeds/rehearsals";

const hookOf = (id: string): Hook | undefined => hooks().find((hook) => hook.id === id);

export const hookHandlers = () => [
  http.get("/api/v1/links/{link_id}/hooks", ({ response }) =>
    response(200).json({ results: hooks(), next: null }),
  ),
  http.post("/api/v1/links/{link_id}/hooks", async ({ params, request, response }) => {
    const { secret, kinds = [], ...body } = await request.json();
    const made = { id: "k_9", link_id: params.link_id, created_at: now(), last_delivery: null };
    return response(201).json({ ...body, kinds, ...made });
  }),
  http.get("/api/v1/hooks/{hook_id}", ({ params, response }) => {
    const hook = hookOf(params.hook_id);
    return hook ? response(200).json(hook) : notFound("webhook");
  }),
  http.patch("/api/v1/hooks/{hook_id}", async ({ params, request, response }) => {
    const hook = hookOf(params.hook_id);
    if (!hook) return notFound("webhook");
    const { secret, ...change } = (await request.json()) ?? {};
    return response(200).json({ ...hook, ...change });
  }),
  http.delete("/api/v1/hooks/{hook_id}", ({ response }) => response(204).empty()),
  http.get("/api/v1/hooks/{hook_id}/deliveries", ({ params, request, response }) =>
    response(200).json(paged(deliveries(params.hook_id), request)),
  ),
  http.post("/api/v1/hooks/{hook_id}/test", ({ params, response }) => {
    const [delivery] = deliveries(params.hook_id);
    return delivery ? response(200).json(delivery) : notFound("webhook");
  }),
];
