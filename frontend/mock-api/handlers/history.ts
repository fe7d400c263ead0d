import { HttpResponse } from "msw";
import type { Database } from "../db";
import { http, notFound, paged } from "../http";
import { scenarioOf } from "../scenarios";
import { switches, timelineEntries } from "../seeds/history";

export const historyHandlers = (db: Database) => {
  const all = () => (scenarioOf(db.scenario).isEmpty ? [] : switches());
  return [
    http.get("/api/v1/history", ({ query, request, response }) => {
      const [link, kind, outcome] = [query.get("link"), query.get("kind"), query.get("outcome")];
      const rows = all().filter(
        (entry) =>
          (!link || entry.link_id === link) &&
          (!kind || entry.kind === kind) &&
          (!outcome || entry.state === outcome) &&
          (!query.get("q") || entry.sentence.includes(query.get("q") ?? "")) &&
          (!query.get("person") || entry.requested_by === query.get("person")),
      );
      return response(200).json(paged(rows, request));
    }),
    http.get("/api/v1/history/export", ({ response }) =>
      response.untyped(
        HttpResponse.text(
          all()
            .map((entry) => JSON.stringify(entry))
            .join("\n"),
        ),
      ),
    ),
    http.get("/api/v1/history/{run_id}", ({ params, response }) => {
      const found = all().find((entry) => entry.id === params.run_id);
      return found ? response(200).json(found) : notFound("run");
    }),
    http.get("/api/v1/links/{link_id}/timeline", ({ query, request, response }) => {
      const kinds = query.get("kinds")?.split(",");
      const rows = timelineEntries(db.lostAt).filter(({ kind }) => !kinds || kinds.includes(kind));
      const from = rows.findIndex(({ entry }) => entry === query.get("entry"));
      return response(200).json(paged(rows.slice(Math.max(0, from)), request));
    }),
  ];
};
