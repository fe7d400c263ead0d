import { HttpResponse } from "msw";
import type { Orphans } from "@/api/types";
import { http } from "../http";
import { orphans } from "../seeds/orphans";

const none = (): Orphans => ({
  ...orphans(),
  state: "not_needed",
  detail: "",
  scanned_at: null,
  cluster: null,
  transactions: 0,
  tables: [],
  results: [],
});

export const orphanHandlers = () => [
  http.get("/api/v1/links/{link_id}/orphans", ({ params, query, response }) => {
    if (params.link_id !== "l_ledger") return response(200).json(none());
    const all = orphans();
    const from = Number(query.get("cursor") ?? 0);
    const to = from + 10;
    const next = to < all.results.length ? String(to) : null;
    return response(200).json({ ...all, results: all.results.slice(from, to), next });
  }),
  http.post("/api/v1/links/{link_id}/orphans/scan", ({ response }) =>
    response(201).json(orphans()),
  ),
  http.get("/api/v1/links/{link_id}/orphans/export", ({ response }) =>
    response.untyped(HttpResponse.text("-- 14 transactions")),
  ),
];
