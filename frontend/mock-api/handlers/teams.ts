import type { Database } from "../db";
import { http, notFound, paged, problem } from "../http";
import { assignment, team } from "../seeds/access";

const teamOf = (db: Database, id: string) => db.access.teams.find((entry) => entry.id === id);

const assignmentHandlers = (db: Database) => [
  http.get("/api/v1/role-assignments", ({ request, response }) =>
    response(200).json(paged(db.access.assignments, request)),
  ),
  http.post("/api/v1/role-assignments", async ({ request, response }) => {
    const { user, team: id, role, scope_kind, scope, reason, expires_at } = await request.json();
    const name = scope_kind === "everything" ? "everything" : `the ${scope_kind} ${scope ?? ""}`;
    const made = assignment({
      id: `u_${db.access.assignments.length + 10}`,
      user: user ?? null,
      team: id ?? null,
      team_name: (id && teamOf(db, id)?.name) ?? null,
      role,
      scope_kind,
      scope: scope ?? "",
      scope_name: name,
      reason: reason ?? "",
      granted_by: db.me?.username ?? "",
      expires_at: expires_at ?? null,
    });
    db.access.assignments = [made, ...db.access.assignments];
    return response(201).json(made);
  }),
  http.delete("/api/v1/role-assignments/{assignment_id}", ({ params, response }) => {
    db.access.assignments = db.access.assignments.filter(({ id }) => id !== params.assignment_id);
    return response(204).empty();
  }),
];

export const teamHandlers = (db: Database) => [
  http.get("/api/v1/teams", ({ request, response }) =>
    response(200).json(paged(db.access.teams, request)),
  ),
  http.get("/api/v1/teams/{team_id}/members", ({ params, request, response }) => {
    const search = new URL(request.url).searchParams.get("search") ?? "";
    const names = teamOf(db, params.team_id)?.members.filter((name) => name.includes(search));
    const roleOf = (name: string) =>
      db.access.users.find(({ username }) => username === name)?.role;
    const rows = (names ?? []).map((username) => ({
      username,
      role: roleOf(username) ?? ("viewer" as const),
      is_active: true,
    }));
    return response(200).json(paged(rows, request));
  }),
  http.post("/api/v1/teams", async ({ request, response }) => {
    const { name, members } = await request.json();
    if (db.access.teams.some((entry) => entry.name === name))
      return problem(409, "team_exists", "Name of a team taken", "Choose another name.", {
        errors: [{ field: "name", message: "A team has this name already. Choose another name." }],
      });
    const made = team(`q_${db.access.teams.length + 10}`, name, members ?? []);
    db.access.teams = [...db.access.teams, made];
    return response(201).json(made);
  }),
  http.patch("/api/v1/teams/{team_id}", async ({ params, request, response }) => {
    const found = teamOf(db, params.team_id);
    if (!found) return notFound("team");
    Object.assign(found, await request.json());
    return response(200).json(found);
  }),
  http.delete("/api/v1/teams/{team_id}", ({ params, response }) => {
    db.access.teams = db.access.teams.filter(({ id }) => id !== params.team_id);
    return response(204).empty();
  }),
  http.get("/api/v1/environments", ({ request, response }) =>
    response(200).json(paged([{ name: "production", links: 1, clusters: 2 }], request)),
  ),
  http.put("/api/v1/links/{link_id}/environment", async ({ request, response }) =>
    response(200).json(await request.json()),
  ),
  http.put("/api/v1/clusters/{cluster_id}/environment", async ({ request, response }) =>
    response(200).json(await request.json()),
  ),
  ...assignmentHandlers(db),
];
