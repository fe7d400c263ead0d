/** Users, sessions and tokens over HTTP, from memory. */
import { HttpResponse, http } from "msw";
import type { CreateTokenRequest, CreateUserRequest, UpdateUserRequest, User } from "@/api/types";
import type { Database } from "../db";
import { at, nothing, page, problem } from "../responses";
import { token, user } from "../seeds/access";
import { ago } from "../seeds/clusters";
import { holdBack } from "../seeds/pending-approvals";

const named = (world: Database, name: unknown) =>
  world.access.users.find((entry) => entry.username === name);
const noUser = () => problem(404, "not_found", "There is no such user", "");

function drop<T extends { id: string }>(table: Record<string, T[]>, owner: string, id: unknown) {
  table[owner] = (table[owner] ?? []).filter((entry) => entry.id !== id);
  return nothing();
}

/** As the server: whoever could be a second person in the hands of who changed it has to wait. */
function changeUser(world: Database, found: User, change: UpdateUserRequest) {
  const promoted = change.role === "approver" || change.role === "admin";
  const { password, os_users: accounts, ...plain } = change;
  const isAdded = accounts?.some((name) => !found.os_users.includes(name));
  const why = promoted
    ? `was promoted from ${found.role}`
    : change.is_active
      ? "was enabled again"
      : password
        ? "got a new password"
        : null;
  const role = change.role ?? found.role;
  const next: User = { ...found, ...plain, ...(accounts ? { os_users: accounts } : {}) };
  if (why && (role === "approver" || role === "admin"))
    next.second_person_from = holdBack(
      world,
      "approver_promoted",
      found.username,
      `${found.username} (${role}) ${why} by operator-1 and is to count as a second person.`,
    );
  if (isAdded)
    holdBack(
      world,
      "os_user_mapped",
      found.username,
      `${accounts?.join(", ")} on the console's host is to be mapped to ${found.username}, requested by operator-1.`,
    );
  world.access.users = world.access.users.map((entry) => (entry === found ? next : entry));
  return HttpResponse.json(next);
}

function ownHandlers(world: Database) {
  const me = () => world.me?.username ?? "";
  return [
    http.get(at("/sessions"), () => page(world.access.sessions[me()] ?? [])),
    http.delete(at("/sessions/:id"), ({ params }) => drop(world.access.sessions, me(), params.id)),
    http.post(at("/session/password"), async ({ request }) => {
      const body = (await request.json()) as { current_password: string };
      if (body.current_password !== "wrong") return nothing();
      return problem(403, "wrong_credentials", "Refused", "", {
        errors: [
          {
            field: "current_password",
            message: "The current password is wrong. Your password is unchanged.",
          },
        ],
      });
    }),
    http.get(at("/tokens"), () => page(world.access.tokens[me()] ?? [])),
    http.delete(at("/tokens/:id"), ({ params }) => drop(world.access.tokens, me(), params.id)),
    http.post(at("/tokens"), async ({ request }) => {
      const body = (await request.json()) as CreateTokenRequest;
      const made = token("t_9", body.label, body.role ?? "viewer", body.expires_days ?? 90);
      world.access.tokens[me()] = [made, ...(world.access.tokens[me()] ?? [])];
      return HttpResponse.json({ ...made, token: "hwsr_f81c7a2be1d04c55" }, { status: 201 });
    }),
  ];
}

function userHandlers(world: Database) {
  return [
    http.get(at("/users"), () => page(world.access.users)),
    http.post(at("/users"), async ({ request }) => {
      const body = (await request.json()) as CreateUserRequest;
      const made = user(body.username, body.role, { created_at: ago(0), last_login: null });
      world.access.users.push(made);
      return changeUser(world, made, { role: body.role });
    }),
    http.patch(at("/users/:name"), async ({ params, request }) => {
      const found = named(world, params.name);
      return found
        ? changeUser(world, found, (await request.json()) as UpdateUserRequest)
        : noUser();
    }),
    http.post(at("/users/:name/unlock"), ({ params }) => {
      const found = named(world, params.name);
      return found ? HttpResponse.json(found) : noUser();
    }),
    http.get(at("/users/:name/sessions"), ({ params }) =>
      page(world.access.sessions[String(params.name)] ?? []),
    ),
    http.delete(at("/users/:name/sessions/:id"), ({ params }) =>
      drop(world.access.sessions, String(params.name), params.id),
    ),
    http.get(at("/users/:name/tokens"), ({ params }) =>
      page(world.access.tokens[String(params.name)] ?? []),
    ),
    http.delete(at("/users/:name/tokens/:id"), ({ params }) =>
      drop(world.access.tokens, String(params.name), params.id),
    ),
  ];
}

export const accessHandlers = (world: Database) => [...ownHandlers(world), ...userHandlers(world)];
