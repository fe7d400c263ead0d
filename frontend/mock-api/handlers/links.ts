import { type Database, linkOf, linksOf, retiredLinksOf } from "../db";
import { http, notFound, paged, problem } from "../http";
import { applyCapacity } from "../seeds/apply-capacity";
import { channelError } from "../seeds/channel-error";
import { lagCurve, linkHistory } from "../seeds/lag";
import { rowOf } from "../seeds/link-rows";
import { calm } from "../seeds/links";

/** Scenarios whose replica falls behind while it runs. */
const BEHIND = new Set(["everything", "untried"]);

const stateHandlers = (db: Database) => [
  http.get("/api/v1/links/{link_id}/lag", ({ query, response }) => {
    const now = Date.now();
    const [from, to, resolution] = [query.get("from"), query.get("to"), query.get("resolution")];
    const asked = {
      from: from ? Date.parse(from) : now - Number(query.get("minutes") ?? 15) * 60_000,
      to: to ? Date.parse(to) : now,
      points: Number(query.get("points") ?? 900),
      resolution: resolution ? Number(resolution) : null,
    };
    return response(200).json(
      lagCurve(asked, db.scenario === "calm" ? Number.POSITIVE_INFINITY : db.lostAt),
    );
  }),
  http.get("/api/v1/links/{link_id}/apply-capacity", ({ params, response }) =>
    response(200).json(applyCapacity(linkOf(db, params.link_id), !BEHIND.has(db.scenario))),
  ),
  http.get("/api/v1/links/{link_id}/history", ({ request, response }) =>
    response(200).json(paged(linkHistory(db.lostAt), request)),
  ),
  http.get("/api/v1/links/{link_id}/channel-error", ({ response }) =>
    response(200).json(channelError()),
  ),
];

export const linkHandlers = (db: Database) => [
  http.get("/api/v1/fleet", ({ response }) =>
    response(200).json({ results: linksOf(db).map(rowOf), read_at: new Date().toISOString() }),
  ),
  http.get("/api/v1/links", ({ query, response }) => {
    const results = query.get("retired") ? retiredLinksOf(db) : linksOf(db);
    return response(200).json({ results, next: null });
  }),
  http.post("/api/v1/links", async ({ request, response }) => {
    const { name, channel_name, requires_approval } = await request.json();
    if (linksOf(db).some((link) => link.name === name))
      return problem(409, "link_exists", "Link exists", "A link has this name already.", {
        errors: [{ field: "name", message: "A link has this name already." }],
      });
    return response(201).json({ ...calm(), id: "l_new", name, channel_name, requires_approval });
  }),
  http.get("/api/v1/links/{link_id}", ({ params, response }) => {
    const link = linkOf(db, params.link_id);
    return link ? response(200).json(link) : notFound("link");
  }),
  ...stateHandlers(db),
];
