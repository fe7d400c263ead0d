// @vitest-environment jsdom
import { QueryClient } from "@tanstack/react-query";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { client } from "./client";
import { type FirstRequest, takeFirst } from "./first-requests";
import { fleetQuery } from "./resources/fleet";
import { sessionQuery } from "./resources/session";

/** The client keeps both when it is loaded; Node's own Request takes neither relative addresses nor jsdom's signals. */
const { fetched, own } = vi.hoisted(() => {
  vi.resetModules();
  const own = { fetch: globalThis.fetch, Request: globalThis.Request };
  const answering = vi.fn<(request: Request) => Promise<Response>>();
  globalThis.fetch = answering as typeof fetch;
  globalThis.Request = class {
    readonly method: string;
    readonly headers: Headers;
    constructor(
      readonly url: string,
      { method = "GET", headers }: RequestInit,
    ) {
      this.method = method;
      this.headers = new Headers(headers);
    }
    clone() {
      return this;
    }
    arrayBuffer() {
      return Promise.resolve(new ArrayBuffer(0));
    }
  } as unknown as typeof Request;
  return { fetched: answering, own };
});

// Files that a worker runs one after the other share its globals and its modules.
afterAll(() => {
  Object.assign(globalThis, own);
  vi.resetModules();
});

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": status < 400 ? "application/json" : "application/problem+json" },
  });

const THEIRS = { results: [{ name: "theirs" }], read_at: "" };
const MINE = { results: [{ name: "mine" }], read_at: "" };

const sent = (response: Promise<Response>, receivedAtMs = Date.now()): FirstRequest => ({
  response,
  sentAtMs: receivedAtMs - 100,
  receivedAtMs,
});

const answer = (body: unknown, status?: number, receivedAtMs?: number) =>
  sent(Promise.resolve(json(body, status)), receivedAtMs);

const read = () => new QueryClient().query({ ...fleetQuery(), retry: false });

beforeEach(() => {
  fetched.mockReset().mockImplementation(() => Promise.resolve(json(MINE)));
  window.hawserFirst = new Map([["/api/v1/fleet", answer(THEIRS)]]);
});
afterEach(() => {
  window.hawserFirst = undefined;
});

test("the first reading takes the answer that is here, the next one asks", async () => {
  expect(await read()).toEqual(THEIRS);
  expect(fetched).not.toHaveBeenCalled();
  expect(await read()).toEqual(MINE);
});

test("an answer that is older than a poll is not shown", async () => {
  window.hawserFirst = new Map([["/api/v1/fleet", answer(THEIRS, 200, Date.now() - 2100)]]);
  expect(await read()).toEqual(MINE);
});

test("a request without an answer is sent again", async () => {
  const response = Promise.reject(new TypeError("network"));
  response.catch(() => undefined);
  const lost = sent(response, Number.POSITIVE_INFINITY);
  window.hawserFirst = new Map([["/api/v1/fleet", lost]]);
  expect(await read()).toEqual(MINE);
});

test.each(["POST", "DELETE"] as const)(
  "after a sign-in or sign-out (%s) nothing of before is shown",
  async (method) => {
    await (method === "POST"
      ? client.POST("/api/v1/session", { body: { username: "a", password: "b" } })
      : client.DELETE("/api/v1/session"));
    expect(takeFirst("/api/v1/fleet")).toBeUndefined();
    expect(await read()).toEqual(MINE);
  },
);

test("where no user is signed in any more, nothing of before is shown", async () => {
  window.hawserFirst?.set("/api/v1/session", answer({ code: "not_authenticated" }, 401));
  expect(await new QueryClient().query(sessionQuery())).toBeNull();
  expect(await read()).toEqual(MINE);
});

test("the session's answer sets the server's clock by the time of its own request", async () => {
  const { clockSkewSeconds } = await import("@/lib/server-clock");
  const receivedAtMs = Date.now() - 1000;
  const server_time = new Date(receivedAtMs - 50).toISOString();
  window.hawserFirst?.set("/api/v1/session", answer({ server_time }, 200, receivedAtMs));
  await new QueryClient().query(sessionQuery());
  expect(clockSkewSeconds()).toBeCloseTo(0, 2);
});
