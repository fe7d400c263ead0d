/** Web Push in a real service worker; only the push service itself is left out, since Chromium has none here. */
import { type BrowserContext, type CDPSession, expect, type Page, test } from "@playwright/test";
import { headingOf, open } from "./support/open";
import { HEADINGS as H, PUSH as P } from "./texts";

// A service worker must not outlive its test.
test.use({ reuseContext: false });

const MESSAGE = {
  kind: "incident",
  link: "payments",
  sentence: "db-a1 is down.",
  path: "/links/l_payments",
  tag: "link l_payments",
};

/** `subscribe` as with a push service that Chromium can reach. */
const fakePushService = (page: Page) =>
  page.addInitScript(() => {
    const subscription = {
      endpoint: "https://fcm.googleapis.com/fcm/send/canary",
      options: { applicationServerKey: null },
      toJSON: () => ({ endpoint: subscription.endpoint, keys: { p256dh: "BA", auth: "AA" } }),
      unsubscribe: () => Promise.resolve(true),
    };
    let current: unknown = null;
    PushManager.prototype.subscribe = () => {
      current = subscription;
      return Promise.resolve(current as PushSubscription);
    };
    PushManager.prototype.getSubscription = () =>
      Promise.resolve(current as PushSubscription | null);
  });

const startWorker = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.register("/service-worker.js");
    await navigator.serviceWorker.ready;
  });

/** The titles of the notifications that the worker shows. */
const shown = (page: Page) =>
  page.evaluate(async () => {
    const worker = await navigator.serviceWorker.ready;
    return (await worker.getNotifications()).map(({ title, body }) => `${title}: ${body}`);
  });

/** What the browser tells the worker when the user clicks the notification. */
async function click(context: BrowserContext): Promise<void> {
  const [worker] = context.serviceWorkers();
  // A text, because a worker's own types are not those of a page.
  await worker?.evaluate(`registration.getNotifications().then(([notification]) =>
    self.dispatchEvent(new NotificationEvent("notificationclick", { notification })))`);
}

async function registrationId(session: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  return found;
}

test("test_push__delivered_to_the_worker__notification_whose_click_opens_the_page", async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(["notifications"]);
  await open(page, "/sign-in", { role: "none" });
  await startWorker(page);
  await page.reload(); // a worker navigates only tabs that were loaded under it
  const session = await context.newCDPSession(page);
  const delivery = {
    origin: String(baseURL),
    registrationId: await registrationId(session),
    data: JSON.stringify(MESSAGE),
  };
  await session.send("ServiceWorker.deliverPushMessage", delivery);
  await session.send("ServiceWorker.deliverPushMessage", delivery);
  await expect.poll(() => shown(page)).toEqual(["Hawser: incident · payments: db-a1 is down."]);
  await click(context);
  await expect(page).toHaveURL(/l_payments/);
  await expect.poll(() => shown(page)).toEqual([]);
});

test("test_push__turned_on_tested_and_off__the_list_follows", async ({ page, context }) => {
  await context.grantPermissions(["notifications"]);
  await fakePushService(page);
  await open(page, "/settings/notifications", { role: "viewer" });
  await startWorker(page);
  const own = page.getByRole("listitem").filter({ hasText: P.own });
  await expect(own).toHaveCount(0);
  await page.getByRole("checkbox", { name: P.closed }).click();
  await expect(own).toContainText("fcm.googleapis.com");
  await page.getByRole("checkbox", { name: P.approvals }).uncheck();
  await expect(own).not.toContainText("approvals");
  await own.getByRole("button", { name: P.test }).click();
  await expect(page.getByRole("status").filter({ hasText: P.accepted })).toBeVisible();
  const gone = page.getByRole("listitem").filter({ hasText: "Chrome on Windows" });
  await gone.getByRole("button", { name: P.test }).click();
  await expect(gone).toHaveCount(0);
  await expect(page.getByRole("status").filter({ hasText: P.removed })).toBeVisible();
  await page.getByRole("checkbox", { name: P.closed }).click();
  await expect(own).toHaveCount(0);
  await expect(headingOf(page, H.notifications)).toBeVisible();
});
