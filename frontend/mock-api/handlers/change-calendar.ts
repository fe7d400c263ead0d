/** Change windows and freezes. */
import type { Database } from "../db";
import { http, notFound } from "../http";
import { now } from "../seeds/clusters";

const made = (db: Database) => ({ created_by: db.me?.username ?? "", created_at: now() });

export const changeCalendarHandlers = (db: Database) => [
  http.get("/api/v1/change-calendar", ({ response }) => response(200).json(db.changeCalendar)),
  http.post("/api/v1/change-windows", async ({ request, response }) => {
    const given = await request.json();
    const window = {
      zone: "",
      weekdays: [],
      starts: null,
      minutes: null,
      opens_at: null,
      closes_at: null,
      ...given,
      links: given.links ?? [],
      id: `q_${db.changeCalendar.windows.length}`,
      ...made(db),
    };
    db.changeCalendar.windows.push(window);
    return response(201).json(window);
  }),
  http.post("/api/v1/change-freezes", async ({ request, response }) => {
    const given = await request.json();
    const id = `u_${db.changeCalendar.freezes.length}`;
    const freeze = { ...given, links: given.links ?? [], id, ...made(db) };
    db.changeCalendar.freezes.push(freeze);
    return response(201).json(freeze);
  }),
  http.post("/api/v1/change-windows/{window_id}/delete", ({ params, response }) => {
    const { windows } = db.changeCalendar;
    const kept = windows.filter((window) => window.id !== params.window_id);
    if (kept.length === windows.length) return notFound("change window");
    db.changeCalendar.windows = kept;
    return response(204).empty();
  }),
  http.post("/api/v1/change-freezes/{freeze_id}/delete", ({ params, response }) => {
    const { freezes } = db.changeCalendar;
    const kept = freezes.filter((freeze) => freeze.id !== params.freeze_id);
    if (kept.length === freezes.length) return notFound("change freeze");
    db.changeCalendar.freezes = kept;
    return response(204).empty();
  }),
];
