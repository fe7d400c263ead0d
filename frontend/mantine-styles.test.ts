/** The stylesheets imported from @mantine/core are those of the components in use, in Mantine's order. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";

const SOURCES = join(import.meta.dirname, "src");
const MANTINE = join(import.meta.dirname, "../node_modules/@mantine");
const STYLES = join(MANTINE, "core/styles");
const GLOBAL = ["baseline", "default-css-variables", "global"];

const read = (path: string) => readFileSync(path, "utf8");
const filesBelow = (folder: string, ending: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name));
const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? "");

/** What a module imports from a package by name, types left out. */
function namesFrom(text: string, from: string): string[] {
  return matches(text, new RegExp(`import \\{([^}]*)\\} from "${from}"`, "g"))
    .flatMap((names) => names.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "));
}

/** A module and all that it imports by relative paths. */
function reachableFrom(module: string, seen = new Set<string>()): Set<string> {
  if (seen.has(module)) return seen;
  seen.add(module);
  for (const path of matches(read(module), /from "(\.[^"]+)"/g))
    reachableFrom(resolve(dirname(module), path), seen);
  return seen;
}

/** Each component's stylesheet by the generated class names in it. */
const sheetOfClass = new Map(
  filesBelow(STYLES, /^[A-Z]\w+\.css$/).flatMap((path) =>
    matches(read(path), /\.(m_[0-9a-f]+)/g).map((name) => [name, basename(path, ".css")] as const),
  ),
);
const moduleOf = new Map(
  filesBelow(join(MANTINE, "core/esm/components"), /(?<!\.module)\.mjs$/).map((path) => [
    basename(path, ".mjs"),
    path,
  ]),
);

/** The components named in the sources, directly or through another package of Mantine. */
function componentsIn(sources: readonly string[]): Set<string> {
  const packages = new Set(
    sources.flatMap((text) => matches(text, /(?:from|import)\(? ?"@mantine\/(\w+)"/g)),
  );
  packages.delete("core");
  const inside = [...packages].flatMap((name) => filesBelow(join(MANTINE, name, "esm"), /\.mjs$/));
  const texts = [...sources, ...inside.map(read)];
  return new Set(texts.flatMap((text) => namesFrom(text, "@mantine/core")));
}

function sheetsOf(component: string): string[] {
  const module = moduleOf.get(component);
  if (!module) return [];
  return [...reachableFrom(module)]
    .filter((path) => path.endsWith(".module.mjs"))
    .flatMap((path) => matches(read(path), /"(m_[0-9a-f]+)"/g))
    .flatMap((name) => sheetOfClass.get(name) ?? []);
}

const SCRIPTS = filesBelow(SOURCES, /(?<!\.test)\.tsx?$/).map(read);
const IMPORTS = filesBelow(SOURCES, /\.(css|tsx?)$/).map((path) =>
  matches(read(path), /@mantine\/core\/styles\/([\w-]+)\.css/g),
);

it("each component in use has its stylesheets, and none is there for nothing", () => {
  const needed = new Set([...GLOBAL, ...[...componentsIn(SCRIPTS)].flatMap(sheetsOf)]);
  expect(IMPORTS.flat().sort()).toEqual([...needed].sort());
});

it("each file imports them in the order of Mantine's own stylesheet", () => {
  const whole = read(join(MANTINE, "core/styles.css"));
  const place = (sheet: string) => whole.indexOf(read(join(STYLES, `${sheet}.css`)).trim());
  for (const sheets of IMPORTS) {
    expect(sheets.map(place)).not.toContain(-1);
    expect(sheets).toEqual(sheets.toSorted((a, b) => place(a) - place(b)));
  }
});
