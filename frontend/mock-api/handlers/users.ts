import type { UpdateUserRequest, User } from "@/api/types";
import type { Database } from "../db";
import { http, notFound, paged, problem } from "../http";
import { user } from "../seeds/access";
import { ago } from "../seeds/clusters";
import { holdBack } from "../seeds/pending-approvals";

const userOf = (db: Database, name: string) =>
  db.access.users.find((entry) => entry.username === name);

const usersOf = (db: Database, { url }: { url: string }) => {
  const { searchParams } = new URL(url);
  const kind = searchParams.get("is_service");
  return db.access.users.filter(
    ({ username, is_service }) =>
      username.includes(searchParams.get("search") ?? "") &&
      (kind === null || kind === String(is_service)),
  );
};

/** Why this change makes the user a second person again; null where it does not. */
const reasonToWait = (found: User, change: UpdateUserRequest): string | null =>
  change.role === "approver" || change.role === "admin"
    ? `was promoted from ${found.role}`
    : change.is_active
      ? "was enabled again"
      : change.password
        ? "got a new password"
        : null;

/** As the server: an account that could act as a second person for the user who changed it has to wait. */
function changeUser(db: Database, found: User, change: UpdateUserRequest): User {
  const { password, os_users: accounts, ...plain } = change;
  const isAdded = accounts?.some((name) => !found.os_users.includes(name));
  const why = reasonToWait(found, change);
  const role = change.role ?? found.role;
  const next: User = { ...found, ...plain, ...(accounts ? { os_users: accounts } : {}) };
  if (why && (role === "approver" || role === "admin"))
    next.second_person_from = holdBack(
      db,
      "approver_promoted",
      found.username,
      `${found.username} (${role}) ${why} by operator-1 and is to count as a second person.`,
    );
  if (isAdded)
    holdBack(
      db,
      "os_user_mapped",
      found.username,
      `${accounts?.join(", ")} on the console's host is to be mapped to ${found.username}, requested by operator-1.`,
    );
  db.access.users = db.access.users.map((entry) => (entry === found ? next : entry));
  return next;
}

const sessionsOfUserHandlers = (db: Database) => [
  http.get("/api/v1/users/{username}/sessions", ({ params, request, response }) =>
    response(200).json(paged(db.access.sessions[params.username] ?? [], request)),
  ),
  http.delete("/api/v1/users/{username}/sessions/{session_id}", ({ params, response }) => {
    const kept = db.access.sessions[params.username] ?? [];
    db.access.sessions[params.username] = kept.filter((entry) => entry.id !== params.session_id);
    return response(204).empty();
  }),
];

export const userHandlers = (db: Database) => [
  http.get("/api/v1/users", ({ request, response }) =>
    response(200).json(paged(usersOf(db, request), request)),
  ),
  http.post("/api/v1/users", async ({ request, response }) => {
    const { username, role } = await request.json();
    if (userOf(db, username))
      return problem(409, "user_exists", "User exists", "A user has this name already.", {
        errors: [{ field: "username", message: "A user has this name already." }],
      });
    const made = user(username, role, { created_at: ago(0), last_login: null });
    db.access.users.push(made);
    return response(201).json(changeUser(db, made, { role }));
  }),
  http.patch("/api/v1/users/{username}", async ({ params, request, response }) => {
    const found = userOf(db, params.username);
    if (!found) return notFound("user");
    const changed = changeUser(db, found, (await request.json()) ?? {});
    const second_factors = { apps: 0, passkeys: 0, recovery_codes: 0 };
    return response(200).json({ ...changed, second_factors });
  }),
  http.post("/api/v1/users/{username}/unlock", ({ params, response }) => {
    const found = userOf(db, params.username);
    return found ? response(200).json(found) : notFound("user");
  }),
  ...sessionsOfUserHandlers(db),
];
