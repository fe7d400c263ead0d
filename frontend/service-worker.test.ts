/** What the service worker answers itself: the console's code, never state. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it, vi } from "vitest";

const ORIGIN = "https://hawser.example";
const SCRIPT = readFileSync(join(import.meta.dirname, "public/service-worker.js"), "utf8");

type Listener = (event: { request: object; respondWith: (answer: unknown) => void }) => void;

/** Whether the worker answers this request itself. */
function isAnswered(path: string, method = "GET"): boolean {
  const listeners = new Map<string, Listener>();
  const cache = { match: () => Promise.resolve("stored") };
  runInNewContext(SCRIPT, {
    URL,
    caches: { open: () => Promise.resolve(cache) },
    self: {
      location: { origin: ORIGIN },
      addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
    },
  });
  const respondWith = vi.fn();
  listeners.get("fetch")?.({ request: { method, url: new URL(path, ORIGIN).href }, respondWith });
  return respondWith.mock.calls.length > 0;
}

describe("the service worker", () => {
  it("test_worker__code_with_a_hash__answered", () =>
    expect(isAnswered("/static/assets/index-C0ffee12.js")).toBe(true));
  it.each([
    "/",
    "/links",
    "/api/v1/links",
    "/api/v1/static/assets/index-C0ffee12.js",
    "/static/manifest.webmanifest",
    "/static/assets/index.js",
    "https://elsewhere.example/static/assets/index-C0ffee12.js",
  ])("test_worker__%s__left_to_the_network", (path) => expect(isAnswered(path)).toBe(false));
  it("test_worker__code_by_post__left_to_the_network", () =>
    expect(isAnswered("/static/assets/index-C0ffee12.js", "POST")).toBe(false));
});
