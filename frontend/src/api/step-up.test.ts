// @vitest-environment jsdom
import { createMock } from "@mock/server";
import { afterAll, expect, test, vi } from "vitest";
import { client } from "./client";
import { askBy } from "./step-up";

interface Sent {
  call: string;
  key: string | null;
  body: string;
}

/** The client keeps both when it is loaded; Node's own Request takes no relative addresses. */
const page = vi.hoisted(() => {
  vi.resetModules();
  const own = { fetch: globalThis.fetch, Request: globalThis.Request };
  const answering = vi.fn<(request: Request) => Promise<Response>>();
  globalThis.fetch = answering as typeof fetch;
  globalThis.Request = class extends own.Request {
    constructor(input: string | Request, init?: RequestInit) {
      super(typeof input === "string" ? new URL(input, "http://console.test") : input, init);
    }
  } as typeof Request;
  return { answering, own };
});

// Files that a worker runs one after the other share its globals and its modules.
afterAll(() => {
  Object.assign(globalThis, page.own);
  vi.resetModules();
});

/** The mock API with a session whose proof is old; what reaches it is kept. */
async function oldProof(): Promise<Sent[]> {
  const mock = createMock();
  const reset = await mock(new Request("/mock/reset?scenario=old-proof"));
  const Cookie = reset.headers.get("Set-Cookie") ?? "";
  const sent: Sent[] = [];
  page.answering.mockImplementation(async (request) => {
    const headers = new Headers(request.headers);
    headers.set("Cookie", Cookie);
    const { method, url } = request;
    const body = await request.clone().text();
    sent.push({
      call: `${method} ${new URL(url).pathname}`,
      key: headers.get("Idempotency-Key"),
      body,
    });
    return mock(new Request(url, { method, headers, body: body || null }));
  });
  return sent;
}

const prove = async () => {
  await client.POST("/api/v1/session/proof", { body: { code: "123456" } });
  return true;
};

const link = { path: { link_id: "l_payments" }, header: { "If-Match": '"1"' } };
const hook = { params: { path: { hook_id: "k_1" } } };
const CALLS = {
  "PATCH link": () =>
    client.PATCH("/api/v1/links/{link_id}", {
      params: link,
      body: { name: "paid", reason: "new name" },
    }),
  "DELETE hook": () => client.DELETE("/api/v1/hooks/{hook_id}", hook),
  "POST hook test": () => client.POST("/api/v1/hooks/{hook_id}/test", hook),
};

test.each(Object.entries(CALLS))(
  "test_step_up__%s__asked_then_repeated_with_key_and_body",
  async (_, call) => {
    const sent = await oldProof();
    const end = askBy(prove);
    const { response } = await call();
    end();
    expect(response.ok).toBe(true);
    const [refused, proof, repeated] = sent;
    expect(proof?.call).toBe("POST /api/v1/session/proof");
    expect(repeated).toEqual(refused);
    expect(sent).toHaveLength(3);
  },
);

test("test_step_up__calls_at_the_same_time__asked_once_and_each_repeated", async () => {
  const sent = await oldProof();
  const ask = vi.fn(prove);
  const end = askBy(ask);
  const answers = await Promise.all(Object.values(CALLS).map((call) => call()));
  end();
  expect(answers.map(({ response }) => response.ok)).toEqual([true, true, true]);
  expect(ask).toHaveBeenCalledExactlyOnceWith(["totp", "recovery_code"]);
  expect(sent).toHaveLength(7);
});

test("test_step_up__cancelled__refused_and_not_repeated", async () => {
  const sent = await oldProof();
  const end = askBy(() => Promise.resolve(false));
  const { response } = await CALLS["DELETE hook"]();
  end();
  expect(response.status).toBe(403);
  expect(sent).toHaveLength(1);
});

test("test_step_up__abort_of_a_run__not_asked", async () => {
  const sent = await oldProof();
  const ask = vi.fn(prove);
  const end = askBy(ask);
  await client.POST("/api/v1/runs/{run_id}/abort", {
    params: { path: { run_id: "r_needs_operator" } },
    body: { comment: "wrong side" },
  });
  end();
  expect(ask).not.toHaveBeenCalled();
  expect(sent).toHaveLength(1);
});
