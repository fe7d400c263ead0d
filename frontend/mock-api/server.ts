/** The API from memory as one function from request to response, with a database for each browser that asks for one. */
import { getResponse } from "msw";
import { type Database, newDatabase } from "./db";
import { handlersFor } from "./handlers";
import { problem } from "./http";
import { SCENARIOS } from "./scenarios";
import { isRole } from "./seeds/session";
import { overridden, refusal, sentinelAnswer } from "./sentinels";

const API = "/api/v1";
const COOKIE = /mock_database=(\w+)/;
/** More than the tests ever use at the same time; the one that was not used for longest makes room. */
const MOST_DATABASES = 50;

/**
 * `/mock/reset?scenario=NAME&role=ROLE&answer=PATH:HOW&to=PAGE`: a new database for this browser, then the page.
 * `role=none` is signed out; scenarios are in scenarios.ts, `answer` is explained in sentinels.ts.
 */
function reset(url: URL, databases: Map<string, Database>): Response {
  const query = url.searchParams;
  const scenario = query.get("scenario") ?? "everything";
  const role = query.get("role") ?? "admin";
  const known = Object.keys(SCENARIOS);
  if (!known.includes(scenario))
    return new Response(`No such scenario; there are ${known.join(", ")}.`, { status: 400 });
  if (role !== "none" && !isRole(role))
    return new Response("No such role: viewer, auditor, operator, approver, admin, none.", {
      status: 400,
    });
  const answers = query.getAll("answer").map((entry) => entry.split(":") as [string, string]);
  const id = crypto.randomUUID().replaceAll("-", "");
  const oldest = databases.keys().next().value;
  if (oldest && databases.size >= MOST_DATABASES) databases.delete(oldest);
  databases.set(
    id,
    newDatabase({ scenario, role: isRole(role) && role !== "none" ? role : null, answers }),
  );
  const headers = {
    Location: query.get("to") ?? "/",
    "Set-Cookie": `mock_database=${id}; Path=/`,
    "Cache-Control": "no-store",
  };
  return new Response(null, { status: 303, headers });
}

/** A viewer reads and signs out; everything else needs at least an operator. */
const isForbidden = (database: Database, request: Request, path: string) =>
  database.me?.role === "viewer" &&
  request.method !== "GET" &&
  !/^\/(session|sessions|tokens|account|push)/.test(path);

/** Calls before which the server asks for a recent proof; what stops something is not among them. */
const asksForProof = (request: Request, path: string) =>
  request.method !== "GET" && !/^\/session|\/(abort|pause)$/.test(path);

const stepUpNeeded = () =>
  problem(403, "step_up_needed", "Confirm that it is you", "Nothing was done.", {
    extra: { ways: ["totp", "recovery_code"] },
  });

async function answer(database: Database, request: Request, path: string): Promise<Response> {
  const failing = await sentinelAnswer(request);
  if (failing) return failing;
  if (isForbidden(database, request, path)) return refusal(403);
  if (!database.isProven && asksForProof(request, path)) return stepUpNeeded();
  const usual = async () => (await getResponse(handlersFor(database), request)) ?? refusal(404);
  const how = request.method === "GET" ? database.answers.get(path) : undefined;
  return how ? overridden(how, usual) : usual();
}

/** The browser's database, which is now the last of those to make room. */
function used(id: string, databases: Map<string, Database>): Database | undefined {
  const database = databases.get(id);
  if (database && databases.delete(id)) databases.set(id, database);
  return database;
}

/** Start with the database that browsers without one of their own share. */
export function createMock(): (request: Request) => Promise<Response> {
  const databases = new Map<string, Database>();
  const shared = newDatabase();
  return async (request) => {
    const url = new URL(request.url);
    if (url.pathname === "/mock/reset") return reset(url, databases);
    const own = COOKIE.exec(request.headers.get("Cookie") ?? "")?.[1];
    const database = own ? used(own, databases) : shared;
    if (!database) return new Response("This browser's database made room.", { status: 410 });
    return answer(database, request, url.pathname.slice(API.length));
  };
}
