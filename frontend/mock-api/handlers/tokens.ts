import type { Database } from "../db";
import { http, paged } from "../http";
import { token } from "../seeds/access";

const tokensOf = (db: Database, username: string) => db.access.tokens[username] ?? [];

function remove(db: Database, username: string, id: string): void {
  db.access.tokens[username] = tokensOf(db, username).filter((entry) => entry.id !== id);
}

export function tokenHandlers(db: Database) {
  const me = () => db.me?.username ?? "";
  return [
    http.get("/api/v1/tokens", ({ request, response }) =>
      response(200).json(paged(tokensOf(db, me()), request)),
    ),
    http.post("/api/v1/tokens", async ({ request, response }) => {
      const { label, role, expires_days, ...limits } = await request.json();
      const made = { ...token("t_9", label, role ?? "viewer", expires_days ?? 90), ...limits };
      db.access.tokens[me()] = [made, ...tokensOf(db, me())];
      return response(201).json({ ...made, token: "hwsr_f81c7a2be1d04c55" });
    }),
    http.post("/api/v1/tokens/{token_id}/rotate", ({ params, response }) => {
      const old = tokensOf(db, me()).find(({ id }) => id === params.token_id);
      const made = {
        ...(old ?? token("", "", "viewer", 1)),
        id: "t_8",
        rotated_from: params.token_id,
      };
      db.access.tokens[me()] = [made, ...tokensOf(db, me())];
      return response(201).json({ ...made, token: "hwsr_0c55f81c7a2be1d0" });
    }),
    http.delete("/api/v1/tokens/{token_id}", ({ params, response }) => {
      remove(db, me(), params.token_id);
      return response(204).empty();
    }),
    http.get("/api/v1/users/{username}/tokens", ({ params, request, response }) =>
      response(200).json(paged(tokensOf(db, params.username), request)),
    ),
    http.delete("/api/v1/users/{username}/tokens/{token_id}", ({ params, response }) => {
      remove(db, params.username, params.token_id);
      return response(204).empty();
    }),
  ];
}
