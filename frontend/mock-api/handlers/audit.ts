import { HttpResponse } from "msw";
import { http, paged } from "../http";
import { auditRecords, auditVerdict, auditWalk } from "../seeds/audit";

const matches = (value: string, wanted: string | null) => !wanted || value.includes(wanted);

export const auditHandlers = () => [
  http.get("/api/v1/audit", ({ request, query, response }) => {
    const rows = auditRecords.filter(
      (record) =>
        (!query.get("seq") || record.seq === Number(query.get("seq"))) &&
        matches(record.actor, query.get("actor")) &&
        matches(record.action, query.get("action")) &&
        matches(record.link_id, query.get("link")) &&
        matches(record.run_id, query.get("run")),
    );
    return response(200).json(paged(rows, request));
  }),
  http.get("/api/v1/audit/verify", ({ response }) => response(200).json(auditVerdict())),
  http.get("/api/v1/audit/verify-all", ({ query, response }) =>
    response(200).json(auditWalk(Number(query.get("after") ?? 0))),
  ),
  http.get("/api/v1/audit/export", ({ response }) => {
    const lines = auditRecords.map((record) => JSON.stringify(record)).join("\n");
    return response.untyped(HttpResponse.text(lines));
  }),
];
