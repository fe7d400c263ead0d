import type { Database } from "../db";
import { http, paged, problem } from "../http";
import { now } from "../seeds/clusters";
import { currentUser, roleTable } from "../seeds/session";

/** What a password asks for: see sentinels.ts. */
const REFUSED_PASSWORDS = {
  wrong: () =>
    problem(401, "authentication_failed", "Not signed in", "Name or password is not right."),
  busy: () =>
    problem(
      503,
      "sign_in_busy",
      "Too many sign in",
      "Too many passwords are being checked at once. Retry in a few seconds.",
      { headers: { "Retry-After": "2" } },
    ),
  guess: () =>
    problem(
      429,
      "too_many_attempts",
      "Too many attempts",
      "Too many failed sign-ins from this address. The password was not checked. Wait up to 14 minutes, sign in from a browser that you used before, or ask an administrator to unlock you.",
      { headers: { "Retry-After": "840" } },
    ),
};

/** After the password `factor` a sign-in waits for its second factor. */
const notSignedIn = (db: Database) =>
  db.waitingWays.length > 0
    ? problem(401, "second_factor_needed", "Second factor required", "Give your second factor.", {
        extra: { ways: db.waitingWays },
      })
    : problem(401, "not_authenticated", "Not signed in");

const isRefused = (password: string): password is keyof typeof REFUSED_PASSWORDS =>
  password in REFUSED_PASSWORDS;

const ownSessionHandlers = (db: Database) => [
  http.get("/api/v1/sessions", ({ request, response }) =>
    response(200).json(paged(db.access.sessions[db.me?.username ?? ""] ?? [], request)),
  ),
  http.delete("/api/v1/sessions/{session_id}", ({ params, response }) => {
    const me = db.me?.username ?? "";
    db.access.sessions[me] = (db.access.sessions[me] ?? []).filter(
      (session) => session.id !== params.session_id,
    );
    return response(204).empty();
  }),
];

const preferenceHandlers = (db: Database) => [
  http.get("/api/v1/roles", ({ response }) => response(200).json(roleTable())),
  http.patch("/api/v1/account/preferences", async ({ request, response }) => {
    if (!db.me) return problem(401, "not_authenticated", "Not signed in");
    const { notice_accepted = false, ...changes } = { ...(await request.json()) };
    const preferences = { ...db.me.preferences, ...changes };
    db.me = {
      ...db.me,
      preferences,
      must_accept_notice: db.me.must_accept_notice && !notice_accepted,
    };
    return response(200).json(preferences);
  }),
];

export const sessionHandlers = (db: Database) => [
  http.get("/api/v1/session", ({ response }) =>
    db.me ? response(200).json({ ...db.me, server_time: now() }) : notSignedIn(db),
  ),
  http.post("/api/v1/session", async ({ request, response }) => {
    const { password } = await request.json();
    if (isRefused(password)) return REFUSED_PASSWORDS[password]();
    if (password === "factor") {
      db.waitingWays = ["totp", "recovery_code"];
      return notSignedIn(db);
    }
    db.me = currentUser("admin");
    return response(200).json(db.me);
  }),
  http.delete("/api/v1/session", ({ response }) => {
    db.me = null;
    return response(204).empty();
  }),
  http.post("/api/v1/session/password", async ({ request, response }) => {
    const { current_password } = await request.json();
    if (current_password !== "wrong") {
      if (db.me) db.me = { ...db.me, must_change_password: false };
      return response(204).empty();
    }
    return problem(403, "wrong_credentials", "Refused", "", {
      errors: [
        {
          field: "current_password",
          message: "The current password is wrong. Your password is unchanged.",
        },
      ],
    });
  }),
  ...ownSessionHandlers(db),
  ...preferenceHandlers(db),
];
