// A certified OpenID Connect provider (oidc-provider) on loopback, with users, groups and keys that a test can change.
// usage: node oidc.mjs PORT CLIENT_JSON USERS_JSON
import { createServer } from "node:http";
import { generateKeyPairSync } from "node:crypto";
import Provider from "oidc-provider";

const [port, client, users] = [process.argv[2], JSON.parse(process.argv[3]), JSON.parse(process.argv[4])];
const issuer = `http://127.0.0.1:${port}`;
const rows = new Map();

/** What the provider stores, shared by the providers before and after a rotation of keys. */
class Memory {
  constructor(name) {
    this.name = name;
  }
  key(id) {
    return `${this.name}:${id}`;
  }
  async upsert(id, payload) {
    rows.set(this.key(id), payload);
    if (payload.uid) rows.set(`uid:${payload.uid}`, this.key(id));
    if (payload.grantId) rows.set(`grant:${payload.grantId}:${this.key(id)}`, this.key(id));
  }
  async find(id) {
    return rows.get(this.key(id));
  }
  async findByUid(uid) {
    return rows.get(rows.get(`uid:${uid}`));
  }
  async findByUserCode() {}
  async destroy(id) {
    rows.delete(this.key(id));
  }
  async consume(id) {
    const row = rows.get(this.key(id));
    if (row) row.consumed = Math.floor(Date.now() / 1000);
  }
  async revokeByGrantId(grant) {
    for (const [name, key] of rows) if (name.startsWith(`grant:${grant}:`)) rows.delete(key);
  }
}

function newKey(kid) {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" };
}

let rotations = 0;
function build() {
  rotations += 1;
  return new Provider(issuer, {
    adapter: Memory,
    clients: [client],
    jwks: { keys: [newKey(`key-${rotations}`)] },
    cookies: { keys: ["tests only"] },
    claims: { openid: ["sub", "sid", "amr"], profile: ["preferred_username", "groups"], email: ["email"] },
    conformIdTokenClaims: false,
    // Its own guard against loopback is in the dispatcher.
    fetch: (url, { dispatcher: _, ...options }) => globalThis.fetch(url, options),
    features: {
      backchannelLogout: { enabled: true },
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true },
    },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, sub) => users[sub] && { accountId: sub, claims: () => ({ sub, ...users[sub] }) },
    issueRefreshToken: async (_, of) => of.grantTypeAllowed("refresh_token"),
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 3600, IdToken: 600, Interaction: 600, RefreshToken: 3600, Session: 3600 },
    renderError: (ctx, out) => {
      ctx.type = "json";
      ctx.body = out;
    },
  });
}
let provider = build();

async function body(request) {
  let text = "";
  for await (const part of request) text += part;
  return text;
}

async function interact(request, response) {
  const details = await provider.interactionDetails(request, response);
  const given = new URLSearchParams(request.method === "POST" ? await body(request) : "");
  if (details.prompt.name === "login") {
    if (!given.get("login")) {
      response.setHeader("content-type", "text/html");
      return response.end(
        '<!doctype html><html lang="en"><title>Provider</title><form method="post"><label>Login <input name="login"></label><button>Sign in</button></form></html>',
      );
    }
    const result = users[given.get("login")]
      ? { login: { accountId: given.get("login"), amr: ["pwd", "otp"] } }
      : { error: "access_denied", error_description: "unknown user" };
    return provider.interactionFinished(request, response, result);
  }
  const grant = new provider.Grant({ accountId: details.session.accountId, clientId: details.params.client_id });
  grant.addOIDCScope(details.params.scope);
  const consent = { grantId: await grant.save() };
  return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
}

const actions = {
  rotate: () => {
    provider = build();
  },
  set: ({ sub, claims }) => {
    if (claims === null) delete users[sub];
    else users[sub] = { ...users[sub], ...claims };
  },
};

createServer(async (request, response) => {
  try {
    if (request.url.startsWith("/control/")) {
      actions[request.url.slice(9)](JSON.parse((await body(request)) || "{}"));
      return response.end("{}");
    }
    if (request.url.startsWith("/interaction/")) return await interact(request, response);
    return provider.callback()(request, response);
  } catch (error) {
    response.statusCode = 500;
    return response.end(String(error.stack));
  }
}).listen(Number(port), "127.0.0.1", () => console.log("ready"));
