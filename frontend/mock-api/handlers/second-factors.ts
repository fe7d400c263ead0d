import type { Database } from "../db";
import { http, problem } from "../http";
import { CODES, newApp, newPasskey, noFactors, QR_CODE } from "../seeds/second-factors";
import { currentUser } from "../seeds/session";

/** The codes that are accepted; any other is wrong. */
const RIGHT_CODE = "123456";
const wrongCode = () =>
  problem(403, "wrong_second_factor", "Wrong code", "The code is wrong or was used before.");

const signInHandlers = (db: Database) => [
  http.post("/api/v1/session/second-factor", async ({ request, response }) => {
    const given = await request.json();
    if (given?.code !== RIGHT_CODE) return wrongCode();
    db.waitingWays = [];
    db.me = currentUser("admin");
    return response(200).json(db.me);
  }),
  http.post("/api/v1/session/proof", async ({ request, response }) => {
    const given = await request.json();
    if (given?.code !== RIGHT_CODE && given?.password !== "right") return wrongCode();
    db.isProven = true;
    return response(204).empty();
  }),
];

/** Codes come with the first factor only. */
const codesOf = (db: Database) =>
  db.factors.app !== null || db.factors.passkeys.length > 0 ? [] : CODES;

const appHandlers = (db: Database) => [
  http.post("/api/v1/account/second-factors/app/secret", ({ response }) =>
    response(200).json({
      secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
      uri: "otpauth://totp/Hawser:operator-1",
      qr_code: QR_CODE,
    }),
  ),
  http.post("/api/v1/account/second-factors/app", async ({ request, response }) => {
    const { code } = await request.json();
    if (code !== RIGHT_CODE) return wrongCode();
    const recovery_codes = codesOf(db);
    db.factors = { ...db.factors, app: newApp(), recovery_codes_left: 10 };
    if (db.me) db.me = { ...db.me, must_add_second_factor: false };
    return response(201).json({ recovery_codes });
  }),
  http.delete("/api/v1/account/second-factors/app", ({ response }) => {
    db.factors = { ...db.factors, app: null };
    return response(204).empty();
  }),
];

const passkeyHandlers = (db: Database) => [
  http.post("/api/v1/account/second-factors/passkeys/options", ({ response }) =>
    response(200).json({
      public_key: {
        rp: { id: "127.0.0.1", name: "Hawser" },
        user: { id: "MQ", name: "operator-1", displayName: "operator-1" },
        challenge: "AAAAAAAAAAAAAAAAAAAAAA",
        pubKeyCredParams: [{ type: "public-key", alg: -7 }],
      },
    }),
  ),
  http.post("/api/v1/account/second-factors/passkeys", async ({ request, response }) => {
    const { name } = await request.json();
    const recovery_codes = codesOf(db);
    const passkeys = [...db.factors.passkeys, newPasskey(name)];
    db.factors = { ...db.factors, passkeys, recovery_codes_left: 10 };
    return response(201).json({ recovery_codes });
  }),
  http.delete("/api/v1/account/second-factors/passkeys/{passkey_id}", ({ params, response }) => {
    const passkeys = db.factors.passkeys.filter(({ id }) => id !== params.passkey_id);
    db.factors = { ...db.factors, passkeys };
    return response(204).empty();
  }),
];

export const secondFactorHandlers = (db: Database) => [
  http.get("/api/v1/account/second-factors", ({ response }) => response(200).json(db.factors)),
  http.get("/api/v1/users/{username}/second-factors", ({ response }) =>
    response(200).json(noFactors()),
  ),
  http.post("/api/v1/account/second-factors/recovery-codes", ({ response }) => {
    db.factors = { ...db.factors, recovery_codes_left: 10 };
    return response(201).json({ recovery_codes: CODES });
  }),
  http.delete("/api/v1/users/{username}/second-factors", ({ response }) => {
    db.factors = noFactors();
    return response(204).empty();
  }),
  ...signInHandlers(db),
  ...appHandlers(db),
  ...passkeyHandlers(db),
];
