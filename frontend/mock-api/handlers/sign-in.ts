import type { Database } from "../db";
import { http, problem } from "../http";
import { atProvider, currentUser } from "../seeds/session";

/** What a code asks for: `no-group` is refused, every other one signs in. */
const NO_GROUP = "no-group";

const offered = (scenario: string) =>
  scenario.startsWith("provider")
    ? {
        name: "Example ID",
        is_available: scenario === "provider",
        problem: scenario === "provider" ? "" : "no response within 5 s",
      }
    : null;

export const signInHandlers = (db: Database) => [
  http.get("/api/v1/sign-in/methods", ({ response }) =>
    response(200).json({ local: "always", oidc: offered(db.scenario), directory: null }),
  ),
  http.post("/api/v1/sign-in/oidc", ({ response }) =>
    response(200).json({ authorization_url: "/sign-in/callback?state=s&code=c&iss=i" }),
  ),
  http.post("/api/v1/sign-in/oidc/callback", async ({ request, response }) => {
    if ((await request.json()).code === NO_GROUP)
      return problem(
        403,
        "no_role_by_group",
        "No group with a role",
        "guest is in no group that has a role in Hawser. You are not signed in. Ask an administrator of your provider for membership of such a group.",
      );
    db.me = { ...currentUser("operator"), provider: atProvider("olaf", ["dba", "staff"]) };
    return response(200).json(db.me);
  }),
  http.post("/api/v1/sign-in/oidc/sign-out", ({ response }) => {
    db.me = null;
    return response(200).json({ end_session_url: "/sign-in?next=%2Fruns" });
  }),
];
