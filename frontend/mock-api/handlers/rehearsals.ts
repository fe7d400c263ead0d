import { http, notFound, paged } from "../http";
import { rehearsal, rehearsals, schedule } from "../seeds/rehearsals";

export const rehearsalHandlers = () => [
  http.get("/api/v1/links/{link_id}/rehearsals", ({ query, request, response }) => {
    const kind = query.get("kind");
    const rows = rehearsals().filter((entry) => !kind || entry.kind === kind);
    return response(200).json(paged(rows, request));
  }),
  http.post("/api/v1/links/{link_id}/rehearsals", async ({ request, response }) => {
    const { kind } = await request.json();
    return response(201).json(rehearsal(kind, 0));
  }),
  http.get("/api/v1/rehearsals/{rehearsal_id}", ({ params, response }) => {
    const found = rehearsals().find((entry) => entry.id === params.rehearsal_id);
    return found ? response(200).json(found) : notFound("rehearsal");
  }),
  http.get("/api/v1/links/{link_id}/rehearsal-schedule", ({ response }) =>
    response(200).json(schedule()),
  ),
  http.put("/api/v1/links/{link_id}/rehearsal-schedule", async ({ request, response }) =>
    response(200).json({ ...schedule(), ...(await request.json()) }),
  ),
];
