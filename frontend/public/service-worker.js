/**
 * Keeps the console's own code for a slow network: only files whose name has a hash of their content.
 * An answer of the API and a page of the console are never stored: what is shown is always as new as
 * the server. Shows messages of Web Push while no page of the console is visible.
 */
const CACHE = "hawser-code";
const HASHED = /^\/static\/assets\/.+-[A-Za-z0-9_-]{8}\.\w+$/;
/** More than one version of the console has. */
const MOST_FILES = 200;

const isCode = ({ method, url }) => {
  const { origin, pathname } = new URL(url);
  return method === "GET" && origin === self.location.origin && HASHED.test(pathname);
};

async function store(cache, request, response) {
  await cache.put(request, response);
  const kept = await cache.keys();
  // The oldest are of versions that are no longer served.
  const surplus = kept.slice(0, Math.max(0, kept.length - MOST_FILES));
  await Promise.all(surplus.map((old) => cache.delete(old)));
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(request);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok) await store(cache, request, response.clone());
  return response;
}

self.addEventListener("fetch", (event) => {
  if (isCode(event.request)) event.respondWith(answer(event.request));
});

const TITLES = {
  incident: "incident",
  approval: "approval requested",
  failed_run: "run failed",
  test: "test",
};
/** A message that this version of the worker does not know is still a reason to look. */
const UNKNOWN = {
  kind: "",
  link: "",
  sentence: "Open the console.",
  path: "/links",
  tag: "console",
};

const windows = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

const PATIENCE_MS = 1000;

/** Whether the page answers that it has a user and gets events itself. Its address would be that of its first load. */
const answers = (page) =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), PATIENCE_MS);
    page.postMessage("is live?", [port2]);
  });

async function isShownByPage() {
  const visible = (await windows()).filter(({ visibilityState }) => visibilityState === "visible");
  return (await Promise.all(visible.map(answers))).includes(true);
}

function read(data) {
  try {
    return { ...UNKNOWN, ...data.json() };
  } catch {
    return UNKNOWN;
  }
}

async function show({ kind, link, sentence, path, tag }) {
  if (kind !== "test" && (await isShownByPage())) return;
  const title = `Hawser: ${TITLES[kind] ?? "notification"}${link ? ` · ${link}` : ""}`;
  const replaced = await self.registration.getNotifications({ tag });
  // The same one from a hidden page has alerted the user already.
  const renotify = !replaced.some(({ body }) => body === sentence);
  const icon = "/static/icon-192.png";
  await self.registration.showNotification(title, {
    body: sentence,
    tag,
    renotify,
    icon,
    data: { path },
  });
}

self.addEventListener("push", (event) => event.waitUntil(show(read(event.data))));

/** Only a page can tell the server the new address, because it needs the session of the user. */
self.addEventListener("pushsubscriptionchange", (event) =>
  event.waitUntil(
    self.registration.showNotification("Hawser: notifications are interrupted", {
      body: "Open the console in this browser to receive them again.",
      tag: "renewal",
      data: { path: "/settings/notifications" },
    }),
  ),
);

/** The path of a page of this console; that of all links for any other address. */
function ownPath(path) {
  const { origin, href } = new URL(path, self.location.origin);
  return origin === self.location.origin ? href.slice(origin.length) : "/links";
}

/** A click on a notification opens its page, in a tab of the console where there is one. */
async function openPage(path) {
  const [open] = await windows();
  if (!open) return self.clients.openWindow(path);
  await open.focus().catch(() => undefined);
  return open.navigate(path).catch(() => self.clients.openWindow(path));
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(ownPath(event.notification.data.path)));
});
