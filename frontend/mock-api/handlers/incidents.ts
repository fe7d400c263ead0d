import type { Incident, TouchedLink } from "@/api/types";
import { type Database, linksOf } from "../db";
import { http, notFound, paged } from "../http";
import { now } from "../seeds/clusters";
import { incident, incidentItem, withProgress } from "../seeds/incidents";

/** From now on the incident is what `next` makes of it, with another digest. */
function change(
  db: Database,
  id: string,
  next: (incident: Incident) => Partial<Incident>,
): Incident {
  const found = db.incidents.find((one) => one.id === id) ?? incident();
  const changed = withProgress({ ...found, ...next(found), version: found.version + 1 });
  db.incidents = db.incidents.map((one) => (one.id === id ? changed : one));
  return changed;
}

const touched = (db: Database, site: string | null): TouchedLink[] =>
  linksOf(db)
    .filter((link) => !site || link.active_cluster.site === site)
    .map((link) => ({
      link_id: link.id,
      link_name: link.name,
      role: "active",
      why: `The active side ${link.active_cluster.name} is at ${link.active_cluster.site}.`,
      kind: link.primary_action?.kind ?? null,
      label: link.primary_action?.label ?? "",
      sentence: link.primary_action?.kind
        ? link.primary_action.label
        : `No operation is recommended: ${link.sentence}`,
      at_risk: link.channels[0]?.gap_transactions ?? null,
    }));

const ordered = (found: Incident, links: readonly string[] | undefined) => {
  if (!links) return found.items;
  const included = links.flatMap((id) => found.items.filter((item) => item.link_id === id));
  const others = found.items.filter((item) => !links.includes(item.link_id));
  return [
    ...included.map((item) =>
      item.state === "left_out" ? { ...item, state: "ready" as const } : item,
    ),
    ...others.map((item) => ({ ...item, state: "left_out" as const })),
  ];
};

const changeHandlers = (db: Database) => [
  http.post("/api/v1/incidents/{incident_id}/plan", async ({ params, request, response }) => {
    const { items } = (await request.json()) ?? {};
    const wanted = items?.map((item) => item.link_id);
    return response(200).json(
      change(db, params.incident_id, (found) => ({
        state: "planned",
        digest: `${found.digest}1`,
        sentence: "All plans are ready.",
        items: found.items.map((item) =>
          item.kind && (wanted?.includes(item.link_id) ?? item.state !== "succeeded")
            ? incidentItem(item.link_name)
            : item,
        ),
      })),
    );
  }),
  http.post("/api/v1/incidents/{incident_id}/order", async ({ params, request, response }) => {
    const { links, at_once, stop_at_failure } = (await request.json()) ?? {};
    return response(200).json(
      change(db, params.incident_id, (found) => ({
        digest: `${found.digest}2`,
        at_once: at_once ?? found.at_once,
        stop_at_failure: stop_at_failure ?? found.stop_at_failure,
        items: ordered(found, links),
      })),
    );
  }),
  http.post("/api/v1/incidents/{incident_id}/confirm", async ({ params, request, response }) => {
    const { reason } = await request.json();
    return response(202).json(
      change(db, params.incident_id, (found) => ({
        state: "running",
        sentence: "0 of 3 operations succeeded, 1 running, 1 waiting.",
        reason,
        confirmed_by: db.me?.username ?? "",
        confirmed_at: now(),
        items: found.items.map((item) =>
          item.state === "ready" ? { ...item, state: "waiting" as const } : item,
        ),
      })),
    );
  }),
  http.post("/api/v1/incidents/{incident_id}/approve", ({ params, response }) =>
    response(200).json(
      change(db, params.incident_id, () => ({
        needs_approval: false,
        approved_by: db.me?.username ?? "",
      })),
    ),
  ),
  http.post("/api/v1/incidents/{incident_id}/abort", ({ params, response }) =>
    response(200).json(
      change(db, params.incident_id, () => ({
        state: "aborted",
        sentence: "Aborted. Nothing new is started.",
        ended_at: now(),
      })),
    ),
  ),
];

export const incidentHandlers = (db: Database) => [
  http.get("/api/v1/incidents", ({ request, response }) =>
    response(200).json(paged(db.incidents, request)),
  ),
  http.get("/api/v1/incidents/touched", ({ query, response }) =>
    response(200).json({ results: touched(db, query.get("site")) }),
  ),
  http.get("/api/v1/incidents/{incident_id}", ({ params, response }) => {
    const found = db.incidents.find((one) => one.id === params.incident_id);
    return found ? response(200).json(found) : notFound("incident");
  }),
  http.post("/api/v1/incidents", ({ response }) => {
    const opened = incident({ id: "x_opened" });
    db.incidents = [opened, ...db.incidents];
    return response(201).json(opened);
  }),
  ...changeHandlers(db),
];
