/** What the service worker shows of a message, and which page a click opens. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it, vi } from "vitest";

const ORIGIN = "https://hawser.example";
const SCRIPT = readFileSync(join(import.meta.dirname, "public/service-worker.js"), "utf8");
const MESSAGE = {
  kind: "incident",
  link: "payments",
  sentence: "db-a1 is down.",
  path: "/links/l_1",
  tag: "link l_1",
};

interface Tab {
  visibilityState: string;
  postMessage: (message: string, ports: MessagePort[]) => void;
}
type Listener = (event: object) => void;

/** A worker with these tabs and notifications; `fire` waits for what an event makes it do. */
function start(tabs: Tab[] = [], shown: { body: string }[] = []) {
  const listeners = new Map<string, Listener>();
  const showNotification = vi.fn(() => Promise.resolve());
  const openWindow = vi.fn(() => Promise.resolve());
  runInNewContext(SCRIPT, {
    URL,
    MessageChannel,
    // The worker waits for no page that does not answer.
    setTimeout: (callback: () => void) => setTimeout(callback, 20),
    self: {
      location: { origin: ORIGIN },
      clients: { matchAll: () => Promise.resolve(tabs), openWindow },
      registration: { showNotification, getNotifications: () => Promise.resolve(shown) },
      addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
    },
  });
  const fire = async (type: string, event: object) => {
    let work: unknown;
    listeners.get(type)?.({ ...event, waitUntil: (promise: unknown) => (work = promise) });
    await work;
  };
  return { fire, showNotification, openWindow };
}

const pushed = (message: object) => ({ data: { json: () => message } });
const tab = (visibilityState: string, isLive = true): Tab => ({
  visibilityState,
  postMessage: (_message, [port]) => isLive && port?.postMessage(true),
});

describe("a message of Web Push", () => {
  it("test_push__no_page_open__shown_under_the_tag_of_its_link", async () => {
    const { fire, showNotification } = start();
    await fire("push", pushed(MESSAGE));
    expect(showNotification).toHaveBeenCalledExactlyOnceWith(
      "Hawser: incident · payments",
      expect.objectContaining({
        body: "db-a1 is down.",
        tag: "link l_1",
        renotify: true,
        data: { path: "/links/l_1" },
      }),
    );
  });
  it.each([
    ["visible page", [tab("visible")], MESSAGE, 0],
    ["hidden page", [tab("hidden")], MESSAGE, 1],
    ["visible page without a user or stream", [tab("visible", false)], MESSAGE, 1],
    ["test on a visible page", [tab("visible")], { ...MESSAGE, kind: "test" }, 1],
  ])("test_push__%s__shown_%#", async (_name, tabs, message, times) => {
    const { fire, showNotification } = start(tabs);
    await fire("push", pushed(message));
    expect(showNotification).toHaveBeenCalledTimes(times);
  });
  it("test_push__the_same_one_from_a_hidden_page__replaced_without_an_alert", async () => {
    const { fire, showNotification } = start([], [{ body: MESSAGE.sentence }]);
    await fire("push", pushed(MESSAGE));
    expect(showNotification).toHaveBeenCalledWith(
      expect.anything(),
      expect.objectContaining({ renotify: false }),
    );
  });
  it.each([{ data: null }, pushed({ kind: "of_a_newer_console" })])(
    "test_push__not_understood_%#__leads_to_the_console",
    async (event) => {
      const { fire, showNotification } = start();
      await fire("push", event);
      expect(showNotification).toHaveBeenCalledWith(
        "Hawser: notification",
        expect.objectContaining({ data: { path: "/links" } }),
      );
    },
  );
  it("test_subscription__changed_by_the_browser__the_user_is_asked_to_open_the_console", async () => {
    const { fire, showNotification } = start();
    await fire("pushsubscriptionchange", {});
    expect(showNotification).toHaveBeenCalledWith(
      "Hawser: notifications are interrupted",
      expect.objectContaining({ data: { path: "/settings/notifications" } }),
    );
  });
  it.each([
    ["/runs/r_1?step=2", "/runs/r_1?step=2"],
    ["https://elsewhere.example/x", "/links"],
    ["//elsewhere.example/x", "/links"],
    ["javascript:alert(1)", "/links"],
  ])("test_click__%s__opens_%s", async (path, opened) => {
    const { fire, openWindow } = start();
    await fire("notificationclick", { notification: { data: { path }, close: vi.fn() } });
    expect(openWindow).toHaveBeenCalledExactlyOnceWith(opened);
  });
});
