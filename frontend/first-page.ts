import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Plugin, Rolldown } from "vite";

/** The frame around all pages, and the page that opens after the sign-in. */
const FIRST = ["/app/layout/AppLayout.tsx", "/features/links/list/LinksPage.tsx"];

type Bundle = Record<string, Rolldown.OutputAsset | Rolldown.OutputChunk>;

/** Files that come with a chunk and are not in the page already. */
function filesWith(bundle: Bundle, name: string, found: Set<string>): void {
  const chunk = bundle[name];
  if (found.has(name) || chunk?.type !== "chunk" || chunk.isEntry) return;
  found.add(name);
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  for (const imported of chunk.imports) filesWith(bundle, imported, found);
}

/** Names the first page's files to index.html, which loads them beside the entry; the entry would do so once it is executed. */
export const preloadFirstPage: Plugin = {
  name: "preload-first-page",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle = {} }) {
      const found = new Set<string>();
      for (const chunk of Object.values(bundle))
        if (chunk.type === "chunk" && FIRST.some((page) => chunk.facadeModuleId?.endsWith(page)))
          filesWith(bundle, chunk.fileName, found);
      const addresses = [...found].map((file) => `/static/${file}`);
      return html.replace("HAWSER_FIRST_FILES", addresses.join(" "));
    },
  },
};

const LEAST_BYTES = 1024;
const compress = promisify(gzip);

/** Writes each file's compressed form beside it, which WhiteNoise sends to a browser that takes it. */
export const compressFiles: Plugin = {
  name: "compress-files",
  apply: "build",
  async writeBundle({ dir = "" }, bundle) {
    const names = Object.keys(bundle).filter((name) => /\.(css|js)$/.test(name));
    await Promise.all(
      names.map(async (name) => {
        const path = join(dir, name);
        const content = await readFile(path);
        if (content.length >= LEAST_BYTES) await writeFile(`${path}.gz`, await compress(content));
      }),
    );
  },
};
