/** The guided registration: each step answers as if both clusters were well; the password `wrong` is refused. */
import type { Registration, RegistrationSide, SideDraft, UpdateSideRequest } from "@/api/types";
import type { Database } from "../db";
import { http, notFound, problem } from "../http";
import {
  certificate,
  checkedSide,
  derived,
  discoveredSide,
  emptyRegistration,
  withAccounts,
} from "../seeds/guided";

const store = (db: Database, draft: Registration): Registration => {
  const next = derived(draft);
  db.guided.set(draft.id, next);
  return next;
};

const refusedPassword = (side: RegistrationSide) => {
  const message = `Credentials refused for user root. Check the account, its password, and whether it may log in from the console. Nothing was stored.`;
  return problem(409, "discovery_failed", "Cluster not discovered", message, {
    errors: [{ field: `${side}.password`, message }],
  });
};

const changedSince = () =>
  problem(
    409,
    "endpoints_changed",
    "Passwords would go elsewhere than shown",
    "Addresses, TLS mode or certificates of this registration are not those that you were shown. Nothing was stored or sent to a server. Load the registration again, read them, and repeat the step.",
  );

function withTls(before: SideDraft["tls"], given: UpdateSideRequest["tls"] = {}): SideDraft["tls"] {
  const { private_key: _, ...shown } = given;
  const tls = { ...before, ...shown };
  const key_reference =
    given.cert === undefined ? before.key_reference : (given.key_reference ?? null);
  const certificates = [
    ...(tls.ca ? [certificate("authority", "CN=Site CA")] : []),
    ...(tls.cert ? [certificate("client", "CN=hawser")] : []),
  ];
  return { ...tls, key_reference, certificates };
}

function withTyped(draft: Registration, side: RegistrationSide, given: UpdateSideRequest = {}) {
  const { nodes, tls, accounts, ...plain } = given;
  const one = draft[side];
  return {
    ...one,
    ...plain,
    nodes: nodes ?? one.nodes,
    tls: withTls(one.tls, tls),
    accounts: {
      monitor: { ...one.accounts.monitor, ...accounts?.monitor },
      operator: { ...one.accounts.operator, ...accounts?.operator },
      replication: { ...one.accounts.replication, ...accounts?.replication },
    },
  };
}

const PATH = "/api/v1/registrations/{registration_id}";

const stepHandlers = (db: Database) => [
  http.post(`${PATH}/takeover`, ({ params, response }) => {
    const draft = db.guided.get(params.registration_id);
    if (!draft) return notFound("guided registration");
    return response(200).json(store(db, { ...draft, owner: db.me?.username ?? draft.owner }));
  }),
  http.post(`${PATH}/discover`, async ({ params, request, response }) => {
    const draft = db.guided.get(params.registration_id);
    if (!draft) return notFound("guided registration");
    const { side, password, endpoints_digest } = await request.json();
    if (endpoints_digest !== draft.endpoints_digest) return changedSince();
    if (password === "wrong") return refusedPassword(side);
    const found = discoveredSide(side === "first" ? "a" : "b", draft[side]);
    return response(200).json(store(db, { ...draft, [side]: found }));
  }),
  http.post(`${PATH}/accounts`, async ({ params, request, response }) => {
    const draft = db.guided.get(params.registration_id);
    if (!draft) return notFound("guided registration");
    const { side, password } = await request.json();
    if (password === "wrong") return refusedPassword(side);
    return response(200).json(store(db, { ...draft, [side]: withAccounts(draft[side]) }));
  }),
  http.put(`${PATH}/accounts`, async ({ params, request, response }) => {
    const draft = db.guided.get(params.registration_id);
    if (!draft) return notFound("guided registration");
    const { side } = await request.json();
    const one = draft[side];
    const entered = { ...one, statements: { ...one.statements, state: "entered" as const } };
    return response(200).json(store(db, { ...draft, [side]: entered }));
  }),
  http.post(`${PATH}/check`, async ({ params, request, response }) => {
    const draft = db.guided.get(params.registration_id);
    if (!draft) return notFound("guided registration");
    const { side } = await request.json();
    return response(200).json(store(db, { ...draft, [side]: checkedSide(draft[side]) }));
  }),
  http.post(`${PATH}/register`, ({ params, response }) => {
    const draft = db.guided.get(params.registration_id);
    if (!draft) return notFound("guided registration");
    return response(200).json(store(db, { ...draft, link_id: "l_payments" }));
  }),
];

export const guidedHandlers = (db: Database) => [
  http.get("/api/v1/registrations", ({ response }) =>
    response(200).json({ results: [...db.guided.values()], next: null }),
  ),
  http.post("/api/v1/registrations", ({ response }) => {
    const draft = emptyRegistration(`f_${db.guided.size + 1}`);
    return response(201).json(store(db, draft));
  }),
  http.get(PATH, ({ params, response }) => {
    const draft = db.guided.get(params.registration_id);
    return draft ? response(200).json(draft) : notFound("guided registration");
  }),
  http.patch(PATH, async ({ params, request, response }) => {
    const draft = db.guided.get(params.registration_id);
    if (!draft) return notFound("guided registration");
    const { first, second, link, endpoints_digest } = (await request.json()) ?? {};
    const seen = endpoints_digest ?? draft.endpoints_digest;
    if (seen !== draft.endpoints_digest) return changedSince();
    const changed = {
      ...draft,
      first: withTyped(draft, "first", first),
      second: withTyped(draft, "second", second),
      link: { ...draft.link, ...link },
    };
    return response(200).json(store(db, changed));
  }),
  http.delete(PATH, ({ params, response }) => {
    db.guided.delete(params.registration_id);
    return response(204).empty();
  }),
  ...stepHandlers(db),
];
