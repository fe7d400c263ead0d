/// <reference types="vitest/config" />
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const routes = here("frontend/src/app/routes");
const backend = `http://127.0.0.1:${process.env.HAWSER_PORT ?? "8800"}`;

export default defineConfig(({ command }) => ({
  root: here("frontend"),
  // Django serves the build below /static/; the page itself comes from a view, with a fresh nonce.
  base: command === "build" ? "/static/" : "/",
  cacheDir: here("node_modules/.vite"),
  plugins: [
    // File routes only where the folder is used; routes written as code need no generator.
    existsSync(routes) &&
      tanstackRouter({
        target: "react",
        autoCodeSplitting: true,
        routesDirectory: routes,
        generatedRouteTree: here("frontend/src/app/routeTree.gen.ts"),
      }),
    react(),
  ],
  resolve: { alias: { "@": here("frontend/src") } },
  html: { cspNonce: "HAWSER_CSP_NONCE" },
  build: {
    outDir: here("frontend/dist"),
    emptyOutDir: true,
    manifest: true,
    // A data: URL would need a hole in the content security policy.
    assetsInlineLimit: 0,
    target: "es2022",
  },
  server: {
    host: "127.0.0.1",
    port: 5173,
    proxy: {
      "^/(api|healthz|readyz|metrics|static)(/|$)": { target: backend, changeOrigin: false },
    },
  },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
    testTimeout: 15_000,
    maxWorkers: 2,
  },
}));
