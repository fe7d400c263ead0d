import { http, notFound, paged } from "../http";
import { now } from "../seeds/clusters";
import { destinationDeliveries, destinations } from "../seeds/destinations";

const destinationOf = (id: string) => destinations().find((one) => one.id === id);

export const destinationHandlers = () => [
  http.get("/api/v1/destinations", ({ response }) =>
    response(200).json({ results: destinations(), next: null }),
  ),
  http.post("/api/v1/destinations", async ({ request, response }) => {
    const { settings, kinds = [], link_id = null, ...body } = await request.json();
    const made = { id: "k_new", link_name: null, target: "hooks.slack.com", created_at: now() };
    return response(201).json({
      ...body,
      ...made,
      kinds,
      link_id,
      settings: null,
      last_delivery: null,
    });
  }),
  http.get("/api/v1/destinations/{destination_id}", ({ params, response }) => {
    const one = destinationOf(params.destination_id);
    return one ? response(200).json(one) : notFound("destination");
  }),
  http.patch("/api/v1/destinations/{destination_id}", async ({ params, request, response }) => {
    const one = destinationOf(params.destination_id);
    if (!one) return notFound("destination");
    const { settings, ...change } = (await request.json()) ?? {};
    return response(200).json({ ...one, ...change });
  }),
  http.delete("/api/v1/destinations/{destination_id}", ({ response }) => response(204).empty()),
  http.get("/api/v1/destinations/{destination_id}/deliveries", ({ params, request, response }) =>
    response(200).json(paged(destinationDeliveries(params.destination_id), request)),
  ),
  http.post("/api/v1/destinations/{destination_id}/test", ({ params, response }) => {
    const delivery = destinationDeliveries(params.destination_id)[1];
    return delivery ? response(202).json(delivery) : notFound("destination");
  }),
];
