/// <reference types="vitest/config" />
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { codeSplitting } from "./frontend/code-splitting.ts";
import { compressFiles, preloadFirstPage } from "./frontend/first-page.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const backend = `http://127.0.0.1:${process.env.HAWSER_PORT ?? "8800"}`;

export default defineConfig(({ command }) => ({
  root: here("frontend"),
  // Django serves the build below /static/; the page itself comes from a view, with a fresh nonce.
  base: command === "build" ? "/static/" : "/",
  cacheDir: here("node_modules/.vite"),
  plugins: [react(), preloadFirstPage, compressFiles],
  resolve: { alias: { "@": here("frontend/src"), "@mock": here("frontend/mock-api") } },
  html: { cspNonce: "HAWSER_CSP_NONCE" },
  build: {
    outDir: here("frontend/dist"),
    emptyOutDir: true,
    manifest: true,
    // A data: URL would need a hole in the content security policy.
    assetsInlineLimit: 0,
    target: "es2022",
    rolldownOptions: codeSplitting,
  },
  server: {
    host: "127.0.0.1",
    port: 5173,
    proxy: {
      "^/(api|healthz|readyz|metrics|static)(/|$)": { target: backend, changeOrigin: false },
    },
  },
  test: {
    restoreMocks: true,
    unstubGlobals: true,
    // Each file with modules and a document of its own took three times as long.
    isolate: false,
    testTimeout: 15_000,
    maxWorkers: 2,
    // What draws nothing needs no document, which takes 0.8 s a file; a module that asks for one says so on top.
    projects: [
      {
        extends: true,
        test: { name: "plain", environment: "node", include: ["src/**/*.test.ts", "*.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "pages",
          environment: "jsdom",
          include: ["src/**/*.test.tsx"],
          setupFiles: [here("frontend/test-setup.ts")],
        },
      },
    ],
  },
}));
