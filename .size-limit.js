/** What a browser loads at first, from the manifest of the build; all sizes are gzip. */
import { readFileSync } from "node:fs";

const DIST = "frontend/dist";
const manifest = JSON.parse(readFileSync(`${DIST}/.vite/manifest.json`, "utf8"));

/** A chunk and all that it imports at once. */
function loadedWith(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const imported of manifest[key].imports ?? []) loadedWith(imported, seen);
  return seen;
}

function filesOf(...keys) {
  const chunks = keys.flatMap((key) => [...loadedWith(key)]).map((key) => manifest[key]);
  const files = new Set(chunks.flatMap((chunk) => [chunk.file, ...(chunk.css ?? [])]));
  return [...files].map((file) => `${DIST}/${file}`);
}

const entry = filesOf("index.html");
const list = filesOf(
  "index.html",
  "src/app/layout/AppLayout.tsx",
  "src/features/links/list/LinksPage.tsx",
);
const limit = (name, path, size) => ({ name, path, limit: size, gzip: true });
const ending = (files, suffix) => files.filter((file) => file.endsWith(suffix));

export default [
  limit("entry: scripts", ending(entry, ".js"), "150 kB"),
  limit("entry: stylesheets", ending(entry, ".css"), "22 kB"),
  limit("the list of links: all that the first page after the sign-in loads", list, "285 kB"),
];
