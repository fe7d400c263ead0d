/**
 * Keeps the console's own code for a slow network: only files whose name has a hash of their content.
 * An answer of the API and a page of the console are never stored: what is shown is always as new as
 * the server.
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

/** A click on a notification opens its page, in a tab of the console where there is one. */
async function openPage(path) {
  const [open] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!open) return self.clients.openWindow(path);
  await open.focus();
  return open.navigate(path).catch(() => self.clients.openWindow(path));
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.path));
});
