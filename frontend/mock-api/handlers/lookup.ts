/** Lookups: a table has many transactions, the text "nowhere" has none, all else names one. */
import { http } from "../http";
import { foundMany, foundNone, foundOne, lookupRows } from "../seeds/lookup";

export const lookupHandlers = () => [
  http.get("/api/v1/links/{link_id}/lookup", ({ query, response }) => {
    if (query.get("text") === "nowhere") return response(200).json(foundNone());
    if (query.get("table")) return response(200).json(foundMany(query.get("cursor") === null));
    return response(200).json(foundOne());
  }),
  http.get("/api/v1/links/{link_id}/lookup/rows", ({ response }) =>
    response(200).json(lookupRows()),
  ),
];
