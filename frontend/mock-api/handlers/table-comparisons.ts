import { HttpResponse } from "msw";
import { can } from "@/domain/permissions";
import type { Database } from "../db";
import { http, notFound, paged, problem } from "../http";
import {
  begun,
  comparedTables,
  comparisonSchedule,
  rowDifferences,
  rowWriters,
} from "../seeds/table-comparisons";

const isUnfinished = ({ state }: { state: string }) => state === "running" || state === "paused";
const known = (db: Database, id: string) => db.comparisons.find((entry) => entry.id === id);

export const tableComparisonHandlers = (db: Database) => [
  http.get("/api/v1/links/{link_id}/table-comparisons", ({ params, response }) =>
    response(200).json({ results: db.comparisons.filter((one) => one.link_id === params.link_id) }),
  ),
  http.post("/api/v1/links/{link_id}/table-comparisons", async ({ params, request, response }) => {
    if (db.comparisons.some((one) => one.link_id === params.link_id && isUnfinished(one)))
      return problem(409, "comparison_unfinished", "Tables are being compared");
    const made = begun(params.link_id, `j_${db.comparisons.length + 1}`, await request.json());
    db.comparisons.unshift(made);
    return response(201).json(made);
  }),
  http.get("/api/v1/table-comparisons/{comparison_id}", ({ params, response }) => {
    const found = known(db, params.comparison_id);
    return found ? response(200).json(found) : notFound("comparison");
  }),
  http.patch("/api/v1/table-comparisons/{comparison_id}", async ({ params, request, response }) => {
    const found = known(db, params.comparison_id);
    if (!found) return notFound("comparison");
    if (!isUnfinished(found)) return problem(409, "comparison_ended", "Comparison ended");
    const { state = found.state } = (await request.json()) ?? {};
    const ended_at = state === "stopped" ? new Date().toISOString() : null;
    Object.assign(found, { state, ended_at, remaining_s: null });
    return response(200).json(found);
  }),
  http.get("/api/v1/table-comparisons/{comparison_id}/tables", (call) => {
    const found = known(db, call.params.comparison_id);
    if (!found) return notFound("comparison");
    const state = call.query.get("state");
    const tables = comparedTables(found).filter((table) => !state || table.state === state);
    return call.response(200).json(paged(tables, call.request));
  }),
  http.get("/api/v1/table-comparisons/{comparison_id}/differences", (call) => {
    const found = known(db, call.params.comparison_id);
    if (!found) return notFound("comparison");
    const table = call.query.get("table");
    const rows = found.different > 0 ? rowDifferences(can(db.me?.permissions, "lookup")) : [];
    const asked = rows.filter((row) => !table || row.table === table);
    return call.response(200).json(paged(asked, call.request));
  }),
  http.get("/api/v1/table-comparisons/{comparison_id}/differences/export", ({ response }) =>
    response.untyped(HttpResponse.text("-- 4 rows")),
  ),
  http.get("/api/v1/table-comparisons/{comparison_id}/row-writers", ({ response }) =>
    response(200).json(rowWriters()),
  ),
  http.get("/api/v1/links/{link_id}/table-comparison-schedule", ({ response }) =>
    response(200).json(comparisonSchedule()),
  ),
  http.put("/api/v1/links/{link_id}/table-comparison-schedule", async ({ request, response }) =>
    response(200).json({ ...comparisonSchedule(), ...(await request.json()) }),
  ),
];
